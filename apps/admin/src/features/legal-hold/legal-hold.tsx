import { Stack, Switch, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Muted } from '../../ui/text.tsx';

const route = 'GET /api/admin/legal-hold';

/** Begins and ends the legal hold, with a reason. */
export function LegalHold() {
  // The state that the user asked for. It stays when another user changes the hold meanwhile.
  const [wanted, setWanted] = useState<boolean>();
  const [reason, setReason] = useState('');
  const hold = useQuery(apiQuery(route));
  return (
    <Loaded query={hold} rows={1}>
      {({ enabled, reason: given, changedAt, changedBy }) => (
        <Stack gap="sm">
          <Switch label="Legal hold" checked={enabled} onChange={() => setWanted(!enabled)} />
          <Muted maw={640}>
            During a legal hold, retention deletes no events, runs, signals, logins and delivery logs.
          </Muted>
          {changedAt !== null && (
            <Text size="sm" maw={640} style={{ overflowWrap: 'anywhere' }}>
              {enabled ? 'Begun' : 'Ended'} by {changedBy} <RelativeTime at={changedAt} />: {given}
            </Text>
          )}
          {wanted !== undefined && (
            <Confirm
              title={wanted ? 'Begin a legal hold?' : 'End the legal hold?'}
              action={wanted ? 'Begin legal hold' : 'End legal hold'}
              disabled={reason.trim() === ''}
              run={() => api('POST /api/admin/legal-hold', { body: { enabled: wanted, reason } })}
              changes={[route]}
              onClose={() => setWanted(undefined)}
              onDone={() => setReason('')}
            >
              {wanted
                ? 'Nothing is deleted until you end it.'
                : 'Everything older than its retention is deleted within an hour.'}
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
