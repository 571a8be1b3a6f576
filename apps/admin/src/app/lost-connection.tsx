import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLostSince } from '../lib/connection.ts';
import { formatMinute } from '../ui/dates.ts';

/** Shows that there is no connection to the server. When the connection is back, loads the data of the page again. */
export function LostConnection() {
  const since = useLostSince();
  const queries = useQueryClient();
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && since === undefined) void queries.invalidateQueries();
    wasLost.current = since !== undefined;
  }, [since, queries]);
  // The live region is rendered before its text, because screen readers announce only changes of it.
  return (
    <div role="status" aria-label="Connection to the server" className="lost-connection">
      {since !== undefined && (
        <Alert color="red" variant="filled" icon={<IconPlugConnectedX aria-hidden />} p="xs" mb="lg">
          No connection to the server since <time dateTime={new Date(since).toISOString()}>{formatMinute(since)}</time>.
          What you see may be out of date.
        </Alert>
      )}
    </div>
  );
}
