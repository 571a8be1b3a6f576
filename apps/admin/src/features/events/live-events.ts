import { type InfiniteData, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { type EventPage, eventsQuery, searchEvents } from '../../entities/events/event-queries.ts';
import { type EventSearch, filtersOf } from '../../entities/events/event-search.ts';
import { useActivity, useLogEpoch } from '../../lib/activity.ts';

/**
 * The time in milliseconds that results stay in the cache. It is short, because the next new event needs other results.
 */
const soon = 3_000;
/**
 * The maximum number of new events that are added to a list. When there are more, the list is loaded again from its
 * first page.
 */
const most = 200;

interface NewEvents {
  readonly count: number;
  /** Whether there are more new events than `count`. */
  readonly more: boolean;
  /** Adds the new events to the top of the list. */
  readonly show: () => void;
}

/**
 * Finds events that are newer than those in the list. Asks for the newest matching event each time that the id of the
 * newest event of all changes. While `following`, new events are added to the list at once. When the log went back, the
 * list is loaded again.
 */
export function useNewEvents(search: EventSearch, newestShown: number | undefined, following: boolean): NewEvents {
  const queries = useQueryClient();
  const filters = filtersOf(search);
  const last = useActivity('events');
  const newest = useQuery({
    queryKey: ['GET /api/admin/search/events', 'newest', filters, last],
    queryFn: async () => (await searchEvents(search, 1)).events[0]?.id ?? 0,
    enabled: newestShown !== undefined && last !== undefined && last > newestShown,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: soon,
  }).data;
  const isNew = newest !== undefined && newestShown !== undefined && newest > newestShown;
  const fresh = useQuery({
    queryKey: ['GET /api/admin/search/events', 'fresh', filters, newest],
    queryFn: () => searchEvents(search, most),
    enabled: isNew,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: soon,
  }).data;
  const events = isNew ? (fresh?.events.filter(({ id }) => id > newestShown) ?? []) : [];
  const more = events.length === most;
  const show = useCallback(() => {
    const { queryKey } = eventsQuery(search);
    if (fresh === undefined || more) {
      void queries.resetQueries({ queryKey });
      return;
    }
    queries.setQueryData<InfiniteData<EventPage, string | undefined>>(
      queryKey,
      (shown) => shown && withNewest(shown, fresh),
    );
  }, [queries, search, fresh, more]);
  const epoch = useLogEpoch();
  const knownEpoch = useRef(epoch);
  useEffect(() => {
    const wentBack = knownEpoch.current !== undefined && knownEpoch.current !== epoch;
    knownEpoch.current = epoch;
    if (wentBack) void queries.resetQueries({ queryKey: eventsQuery(search).queryKey });
  }, [epoch, queries, search]);
  useEffect(() => {
    if (following && events.length > 0) show();
  }, [following, events.length, show]);
  return { count: events.length, more, show };
}

/** Returns the pages with the new events added to the first page. */
function withNewest(
  { pages: [first, ...others], pageParams }: InfiniteData<EventPage, string | undefined>,
  fresh: EventPage,
): InfiniteData<EventPage, string | undefined> {
  const newestShown = first?.events[0]?.id ?? 0;
  const added = fresh.events.filter(({ id }) => id > newestShown);
  return {
    pages: [
      { ...fresh, events: [...added, ...(first?.events ?? [])], nextCursor: first?.nextCursor ?? null },
      ...others,
    ],
    pageParams,
  };
}
