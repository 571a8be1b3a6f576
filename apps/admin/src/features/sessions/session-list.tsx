import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Answer, RouteKey } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { Hint, SmallBadge } from '../../ui/text.tsx';

type Session = Answer<'GET /api/admin/user/sessions'>['sessions'][number];

/** The calls that list and end the sessions of a user. */
export interface SessionCalls {
  readonly key: readonly [RouteKey, ...(number | string)[]];
  readonly list: () => Promise<{ readonly sessions: readonly Session[] }>;
  readonly end: (id: number) => Promise<unknown>;
  readonly endOthers: () => Promise<unknown>;
}

/** Lists sessions, and ends one or all others. */
export function SessionList({ calls }: { readonly calls: SessionCalls }) {
  const sessions = useQuery({ queryKey: calls.key, queryFn: async () => (await calls.list()).sessions });
  const [asking, setAsking] = useState(false);
  const otherCount = sessions.data?.filter(({ current }) => !current).length ?? 0;
  const mine = sessions.data?.length !== otherCount;
  const all = mine ? 'End all other sessions' : 'End all sessions';
  return (
    <Loaded query={sessions} rows={2}>
      {(list) => (
        <Stack gap="sm">
          {otherCount > (mine ? 0 : 1) && (
            <Group>
              <Button variant="default" size="xs" onClick={() => setAsking(true)}>
                {all}
              </Button>
            </Group>
          )}
          <SessionTable list={list} calls={calls} />
          {asking && (
            <Confirm
              title={`${all}?`}
              action={all}
              run={calls.endOthers}
              changes={[calls.key[0], 'GET /api/admin/user-admin']}
              onClose={() => setAsking(false)}
            >
              {otherCount === 1 ? '1 session ends' : `${otherCount} sessions end`} immediately. A new login is needed on
              those devices.
            </Confirm>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function SessionTable({ list, calls }: { readonly list: readonly Session[]; readonly calls: SessionCalls }) {
  const usedAt = ({ current, seenAt }: Session) => (current ? 'Now' : <RelativeTime at={seenAt} />);
  return (
    <Listing
      rows={list}
      rowKey={({ id }) => id}
      spacing="xs"
      minWidth={280}
      empty={<Text size="sm">No open sessions.</Text>}
      columns={[
        { header: 'Device', cell: (session) => <Device session={session} usedAt={usedAt(session)} /> },
        { header: 'Last used', visibleFrom: 'xs', cell: usedAt },
        { header: 'Logged in', visibleFrom: 'sm', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        { header: 'Ends', visibleFrom: 'sm', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} ahead /> },
        {
          label: 'Actions',
          width: 72,
          cell: (session) => !session.current && <EndButton session={session} calls={calls} />,
        },
      ]}
    />
  );
}

const deviceOf = ({ device }: Session) => device ?? 'Unknown device';

function Device({ session, usedAt }: { readonly session: Session; readonly usedAt: ReactNode }) {
  return (
    <>
      <NameCell name={deviceOf(session)} badges={session.current && <SmallBadge>This session</SmallBadge>}>
        {session.address}
      </NameCell>
      <Hint hiddenFrom="xs">{usedAt}</Hint>
    </>
  );
}

function EndButton({ session, calls }: { readonly session: Session; readonly calls: SessionCalls }) {
  const queries = useQueryClient();
  const report = useReportError();
  const end = useMutation({
    mutationFn: () => calls.end(session.id),
    onError: report,
    onSettled: () =>
      Promise.all(
        [calls.key, ['GET /api/admin/user-admin']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => end.mutate()}
      loading={end.isPending}
      aria-label={`End the session ${deviceOf(session)}`}
    >
      End
    </Button>
  );
}
