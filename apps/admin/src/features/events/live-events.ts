import { type InfiniteData, keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useNewest } from '../../lib/newest.ts';
import { type EventPage, eventsQuery, searchEvents } from './event-queries.ts';
import { type EventSearch, filtersOf } from './event-search.ts';

/** What was found is of no use once there is something newer, in milliseconds. */
const soon = 3_000;
/** More than this that are new are loaded as a first page is. */
const most = 200;

interface NewEvents {
  readonly count: number;
  /** Whether there are more than are counted. */
  readonly more: boolean;
  /** Puts them above the others. */
  readonly show: () => void;
}

/**
 * What happened since the log was loaded: whenever something has, the one newest event that the filters let through is
 * asked for. While `following` it is shown as it comes.
 */
export function useNewEvents(search: EventSearch, newestShown: number | undefined, following: boolean): NewEvents {
  const queries = useQueryClient();
  const filters = filtersOf(search);
  const last = useNewest('eventId');
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
  useEffect(() => {
    if (following && events.length > 0) show();
  }, [following, events.length, show]);
  return { count: events.length, more, show };
}

/** The pages with what is new in the first of them. */
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
