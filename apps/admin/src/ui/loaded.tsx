import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { TableSkeleton } from './page.tsx';

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** The number of rows in the skeleton. */
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** Renders the data of a query: a skeleton while it is pending, and an error above data that was loaded before. */
export function Loaded<T>({ query, rows = 6, children }: Props<T>) {
  return (
    <>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <TableSkeleton rows={rows} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
