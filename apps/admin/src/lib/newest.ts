import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from './api.ts';

/**
 * Pages that follow what happens ask for two numbers each second, and for more only when one of them has moved. That is a
 * read of two rows by their key, however much there is and whatever a page filters for; nothing is asked while the tab is
 * hidden, and however many parts of a page follow, it is one question. A stream would be some milliseconds quicker. It
 * would have to be fed by other processes too (a signal is stored by the one that got it), be closed when its session or a
 * permission ends, and be held open by every proxy on the way; this has none of that to get wrong.
 */
const newestQuery = queryOptions({
  queryKey: ['GET /api/admin/newest'],
  queryFn: () => api('GET /api/admin/newest'),
  refetchInterval: ({ state }) => (state.status === 'error' ? 10_000 : 1_000),
  staleTime: 0,
});

/** The number of the newest event or signal, within a second; nothing while it is not known. */
export function useNewest(of: 'eventId' | 'signalId', enabled = true): number | undefined {
  return useQuery({ ...newestQuery, enabled, select: (newest) => newest[of] }).data;
}

/** Does something whenever there is a newer event or signal than there was. */
export function useEachNewer(of: 'eventId' | 'signalId', run: () => void, enabled = true): void {
  const newest = useNewest(of, enabled);
  const known = useRef(newest);
  useEffect(() => {
    if (newest === undefined || newest === known.current) return;
    known.current = newest;
    run();
  }, [newest, run]);
}
