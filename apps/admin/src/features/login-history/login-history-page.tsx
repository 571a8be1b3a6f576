import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { LoginTable } from './login-table.tsx';

const pageSize = 100;

/** The login history. */
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
    <Page
      title={titleOf('/admin/logins')}
      guide="guides/auditing#sign-in-refusals-and-operations"
      description="Successful and failed logins."
    >
      {logins.error !== null && <Failure error={logins.error} onRetry={() => void logins.refetch()} />}
      {logins.isPending && <TableSkeleton />}
      {logins.data !== undefined && shown.length === 0 && (
        <EmptyState title="No logins yet">Successful and failed logins are listed here.</EmptyState>
      )}
      {shown.length > 0 && <LoginTable logins={shown} />}
      <LoadMore query={logins} align="center" />
    </Page>
  );
}
