import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer, RouteKey } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Named } from '../../ui/named.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useReport } from '../../ui/report.ts';

type Session = Answer<'GET /api/admin/user/sessions'>['sessions'][number];

/** How the sessions of somebody are read and ended. */
export interface SessionCalls {
  readonly key: readonly [RouteKey, ...(number | string)[]];
  readonly list: () => Promise<{ readonly sessions: readonly Session[] }>;
  readonly end: (id: number) => Promise<unknown>;
  readonly endOthers: () => Promise<unknown>;
}

/** The sessions of somebody: what each was begun with, since when, last used when; to be ended one by one, or all others at once. */
export function SessionList({ calls }: { readonly calls: SessionCalls }) {
  const sessions = useQuery({ queryKey: calls.key, queryFn: async () => (await calls.list()).sessions });
  const [asking, setAsking] = useState(false);
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0;
  const mine = sessions.data?.length !== others;
  const all = mine ? 'End all other sessions' : 'End all sessions';
  return (
    <Loaded query={sessions} rows={2}>
      {(list) => (
        <Stack gap="sm">
          {others > (mine ? 0 : 1) && (
            <Group>
              <Button variant="default" size="xs" onClick={() => setAsking(true)}>
                {all}
              </Button>
            </Group>
          )}
          {list.length === 0 ? <Text size="sm">No session is open.</Text> : <SessionTable list={list} calls={calls} />}
          {asking && (
            <Confirm
              title={`${all}?`}
              action={all}
              run={calls.endOthers}
              changes={[calls.key[0], 'GET /api/admin/user-admin']}
              onClose={() => setAsking(false)}
            >
              {others === 1 ? 'One session ends' : `${others} sessions end`} at once: whoever uses{' '}
              {others === 1 ? 'it' : 'them'} has to log in again.
            </Confirm>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function SessionTable({ list, calls }: { readonly list: readonly Session[]; readonly calls: SessionCalls }) {
  return (
    <Table verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Device</Table.Th>
          <Table.Th visibleFrom="xs">Last used</Table.Th>
          <Table.Th visibleFrom="sm">Logged in</Table.Th>
          <Table.Th visibleFrom="sm">Ends</Table.Th>
          <Table.Th w={72} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.map((session) => (
          <Row key={session.id} session={session} calls={calls} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ session, calls }: { readonly session: Session; readonly calls: SessionCalls }) {
  const { id, device, address, createdAt, seenAt, expiresAt, current } = session;
  const queries = useQueryClient();
  const report = useReport();
  const end = useMutation({
    mutationFn: () => calls.end(id),
    onError: report,
    onSettled: () =>
      Promise.all(
        [calls.key, ['GET /api/admin/user-admin']].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  const name = device ?? 'Unknown device';
  const used = current ? 'Now' : <RelativeTime at={seenAt} />;
  return (
    <Table.Tr>
      <Table.Td>
        <Named
          name={name}
          badges={
            current && (
              <Badge size="sm" variant="light" tt="none">
                This session
              </Badge>
            )
          }
        >
          {address}
        </Named>
        <Text size="xs" c="dimmed" hiddenFrom="xs">
          {used}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="xs">{used}</Table.Td>
      <Table.Td visibleFrom="sm">
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <RelativeTime at={expiresAt} />
      </Table.Td>
      <Table.Td>
        {!current && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => end.mutate()}
            loading={end.isPending}
            aria-label={`End the session ${name}`}
          >
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
