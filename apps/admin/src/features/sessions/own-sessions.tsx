import { Badge, Button, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useReport } from '../../ui/report.ts';

type Session = Answer<'GET /api/admin/user/sessions'>['sessions'][number];

const key = 'GET /api/admin/user/sessions';

/** Where the person who is signed in is signed in. */
export function OwnSessions() {
  const sessions = useQuery({ queryKey: [key], queryFn: async () => (await api(key)).sessions });
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Sessions
      </Title>
      <Text size="sm" c="dimmed">
        Each time that you log in a session begins. End what you do not know.
      </Text>
      <Loaded query={sessions} rows={2}>
        {(list) => (
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Logged in</Table.Th>
                <Table.Th>Ends</Table.Th>
                <Table.Th w={90} aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.map((session) => (
                <Row key={session.id} session={session} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Loaded>
    </Stack>
  );
}

function Row({ session: { id, createdAt, expiresAt, current } }: { readonly session: Session }) {
  const queries = useQueryClient();
  const report = useReport();
  const end = useMutation({
    mutationFn: () => api('DELETE /api/admin/user/sessions/:id', { params: { id } }),
    onError: report,
    onSettled: () => queries.invalidateQueries({ queryKey: [key] }),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <RelativeTime at={createdAt} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={expiresAt} />
      </Table.Td>
      <Table.Td>
        {current ? (
          <Badge variant="light" tt="none">
            This one
          </Badge>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => end.mutate()} loading={end.isPending}>
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
