import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { titleOf } from '../../ui/places.ts';
import { LoginTable } from './login-table.tsx';

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
