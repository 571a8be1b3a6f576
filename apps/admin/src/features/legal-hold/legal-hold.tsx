import { Stack, Switch, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

const route = 'GET /api/admin/legal-hold';

/** Begins and ends the legal hold, with a reason. */
export function LegalHold() {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const hold = useQuery({ queryKey: [route], queryFn: () => api(route) });
  return (
    <Loaded query={hold} rows={1}>
      {({ enabled, reason: given, changedAt, changedBy }) => (
        <Stack gap="sm">
          <Switch label="Legal hold" checked={enabled} onChange={() => setAsking(true)} />
          <Text size="sm" c="dimmed" maw={640}>
            During a legal hold, retention deletes no events, runs, signals, logins and delivery logs.
          </Text>
          {changedAt !== null && (
            <Text size="sm" maw={640} style={{ overflowWrap: 'anywhere' }}>
              {enabled ? 'Begun' : 'Ended'} by {changedBy} <RelativeTime at={changedAt} />: {given}
            </Text>
          )}
          {asking && (
            <Confirm
              title={enabled ? 'End the legal hold?' : 'Begin a legal hold?'}
              action={enabled ? 'End legal hold' : 'Begin legal hold'}
              disabled={reason.trim() === ''}
              run={() => api('POST /api/admin/legal-hold', { body: { enabled: !enabled, reason } })}
              changes={[route]}
              onClose={() => setAsking(false)}
              onDone={() => setReason('')}
            >
              {enabled
                ? 'Everything older than its retention is deleted within an hour.'
                : 'Nothing is deleted until you end it.'}
              <Textarea
                label="Reason"
                required
                maxLength={1000}
                mt="sm"
                value={reason}
                onChange={({ currentTarget }) => setReason(currentTarget.value)}
              />
            </Confirm>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
