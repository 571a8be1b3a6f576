import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { type FlagRow, flagPageQuery, flagSearchQuery, pageSize, type Sought } from './flag-search-query.ts';

/** The flags that are found, of which those are read that somebody looks at. */
export interface FoundFlags {
  readonly total: number;
  /** By the number of the row, from 0; undefined while it is read, and when that failed. */
  readonly flagAt: (index: number) => FlagRow | undefined;
  /** Whether the row could not be read. */
  readonly hasFailedAt: (index: number) => boolean;
  readonly retry: () => void;
}

/** Finds flags of a project; `look` is told which rows are in sight. Of another search nothing is there until its first page is. */
export function useFoundFlags(sought: Sought) {
  const first = useQuery(flagSearchQuery(sought));
  // Typing goes on while rows are drawn, which is done in parts.
  const data = useDeferredValue(first.data);
  const [pages, setPages] = useState<readonly number[]>([]);
  const rest = useQueries({
    queries: pages.map((page) => ({
      ...flagPageQuery(sought, page),
      enabled: !first.isPlaceholderData,
    })),
    combine: (results) => ({
      rows: results.map((result) => result.data?.features),
      failed: results.map(({ isError }) => isError),
      retry: () => results.filter(({ isError }) => isError).forEach((result) => void result.refetch()),
    }),
  });
  const look = useCallback((from: number, to: number, focused?: number) => {
    const wanted = pagesWith(from, to, focused);
    setPages((before) => (before.join() === wanted.join() ? before : wanted));
  }, []);
  const found: FoundFlags | undefined = useMemo(() => {
    if (data === undefined) return undefined;
    const rowsOf = (index: number) => pages.indexOf(Math.floor(index / pageSize) + 1);
    return {
      total: data.total,
      flagAt: (index) => (index < pageSize ? data.features[index] : rest.rows[rowsOf(index)]?.[index % pageSize]),
      hasFailedAt: (index) => index >= pageSize && rest.failed[rowsOf(index)] === true,
      retry: rest.retry,
    };
  }, [data, pages, rest]);
  return { first, found, look };
}

/** The pages, but for the first, that hold these rows, those that come in sight next, and the one that has the focus. */
function pagesWith(from: number, to: number, focused = 0): number[] {
  const pageOf = (row: number) => Math.floor(row / pageSize) + 1;
  const first = pageOf(Math.max(0, from - pageSize / 2));
  const around = Array.from({ length: pageOf(to + pageSize / 2) - first + 1 }, (_, at) => first + at);
  return [...new Set([...around, pageOf(focused)])].filter((page) => page > 1);
}
