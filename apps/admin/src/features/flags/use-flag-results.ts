import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { type FlagListQuery, type FlagRow, flagPageQuery, flagSearchQuery, pageSize } from './flag-search-query.ts';

/** The matching flags. Only the pages of the visible rows and of those near them are loaded. */
export interface FlagResults {
  readonly total: number;
  /** Returns the flag of a row, from 0; undefined while it is loading or failed to load. */
  readonly flagAt: (index: number) => FlagRow | undefined;
  /** Returns whether a row failed to load. */
  readonly hasFailedAt: (index: number) => boolean;
  readonly retry: () => void;
}

/**
 * Searches flags. Callers pass the visible rows to `look`, which loads their pages. After a new search, the first page
 * of the previous result stays until the new one is loaded; other rows are missing until then.
 */
export function useFlagResults(listQuery: FlagListQuery) {
  const first = useQuery(flagSearchQuery(listQuery));
  // Deferred, so that typing is not blocked while rows render.
  const data = useDeferredValue(first.data);
  const [pages, setPages] = useState<readonly number[]>([]);
  const rest = useQueries({
    queries: pages.map((page) => ({
      ...flagPageQuery(listQuery, page),
      enabled: !first.isPlaceholderData,
    })),
    combine: (results) => ({
      rows: results.map((result) => result.data?.features),
      failed: results.map(({ isError }) => isError),
      retry: () => results.filter(({ isError }) => isError).forEach((result) => void result.refetch()),
    }),
  });
  const look = useCallback((from: number, to: number, focused?: number) => {
    const needed = pagesWith(from, to, focused);
    setPages((before) => (before.join() === needed.join() ? before : needed));
  }, []);
  const found: FlagResults | undefined = useMemo(() => {
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

/** Returns the pages, except the first page, of the visible rows, the rows near them and the row with the focus. */
function pagesWith(from: number, to: number, focused = 0): number[] {
  const pageOf = (row: number) => Math.floor(row / pageSize) + 1;
  const first = pageOf(Math.max(0, from - pageSize / 2));
  const around = Array.from({ length: pageOf(to + pageSize / 2) - first + 1 }, (_, at) => first + at);
  return [...new Set([...around, pageOf(focused)])].filter((page) => page > 1);
}
