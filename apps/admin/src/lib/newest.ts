import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from './api.ts';

/**
 * Polls the ids of the newest event and signal each second. Live pages load more only when an id has changed. The query
 * reads two rows by key, is shared by all parts of a page, and pauses while the tab is hidden. Polling was chosen over
 * a stream: a stream would need a feed from other processes, an end with its session or permission, and an open
 * connection through every proxy.
 */
const newestQuery = queryOptions({
  queryKey: ['GET /api/admin/newest'],
  queryFn: () => api('GET /api/admin/newest'),
  refetchInterval: ({ state }) => (state.status === 'error' ? 10_000 : 1_000),
  staleTime: 0,
});

/** Returns the id of the newest event or signal, at most a second old; undefined until it is known. */
export function useNewest(of: 'eventId' | 'signalId', enabled = true): number | undefined {
  return useQuery({ ...newestQuery, enabled, select: (newest) => newest[of] }).data;
}

/** Calls `run` whenever a newer event or signal exists. */
export function useEachNewer(of: 'eventId' | 'signalId', run: () => void, enabled = true): void {
  const newest = useNewest(of, enabled);
  const known = useRef(newest);
  useEffect(() => {
    if (newest === undefined || newest === known.current) return;
    known.current = newest;
    run();
  }, [newest, run]);
}
