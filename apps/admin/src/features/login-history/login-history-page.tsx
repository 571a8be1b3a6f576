import { Button, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Login = Answer<'GET /api/admin/logins'>['events'][number];

const pageSize = 100;

/** Who logged in, and who tried to. */
export function LoginHistoryPage() {
  const logins = useInfiniteQuery({
    queryKey: ['GET /api/admin/logins'],
    queryFn: async ({ pageParam }) => {
      const query = { limit: String(pageSize), ...(pageParam === 0 ? {} : { before: String(pageParam) }) };
      return (await api('GET /api/admin/logins', { query })).events;
    },
    initialPageParam: 0,
    getNextPageParam: (last) => (last.length < pageSize ? undefined : last.at(-1)?.id),
  });
  const shown = logins.data?.pages.flat() ?? [];
  return (
    <Page title={titleOf('/admin/logins')} description="Who logged in, and who tried to.">
      {logins.error !== null && <Failure error={logins.error} onRetry={() => void logins.refetch()} />}
      {logins.isPending && <TableSkeleton />}
      {logins.data !== undefined && shown.length === 0 && (
        <EmptyState title="Nobody has logged in yet">Each attempt, successful or not, is told here.</EmptyState>
      )}
      {shown.length > 0 && <LoginTable logins={shown} />}
      {logins.hasNextPage && (
        <Button
          variant="default"
          onClick={() => void logins.fetchNextPage()}
          loading={logins.isFetchingNextPage}
          style={{ alignSelf: 'center' }}
        >
          Load more
        </Button>
      )}
    </Page>
  );
}

function LoginTable({ logins }: { readonly logins: readonly Login[] }) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>User name</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th visibleFrom="sm">By</Table.Th>
            <Table.Th visibleFrom="sm">Address</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {logins.map((login) => (
            <Table.Tr key={login.id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{login.username}</Table.Td>
              <Table.Td>
                <Text size="sm" {...(login.successful ? {} : { c: 'var(--mantine-color-error)' })}>
                  {login.successful ? 'Logged in' : 'Refused'}
                </Text>
                {login.failure_reason !== null && (
                  <Text size="xs" c="dimmed">
                    {login.failure_reason}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <RelativeTime at={login.created_at} />
              </Table.Td>
              <Table.Td visibleFrom="sm">{login.auth_type === 'oidc' ? 'OpenID Connect' : 'Password'}</Table.Td>
              <Table.Td visibleFrom="sm">{login.ip ?? 'Unknown'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
