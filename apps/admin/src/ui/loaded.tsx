import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { TableSkeleton } from './page.tsx';

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  /** Rows that are likely to come. */
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** What was asked for, once it is there; before that its place is held, and what goes wrong is told above what is still there. */
export function Loaded<T>({ query, rows = 6, children }: Props<T>) {
  return (
    <>
      {query.error !== null && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <TableSkeleton rows={rows} />}
      {query.data !== undefined && children(query.data)}
    </>
  );
}
