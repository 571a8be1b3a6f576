import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { known } from '../../lib/address.ts';
import { type Answer, api } from '../../lib/api.ts';
import { asQuery, type EventSearch, filtersOf } from './event-search.ts';

export type EventPage = Answer<'GET /api/admin/search/events'>;
export type LoggedEvent = EventPage['events'][number];
export type ReceivedSignal = Answer<'GET /api/admin/signals'>['signals'][number];

export const pageSize = 50;
const key = 'GET /api/admin/search/events';

/**
 * Returns the query for the matching events, newest first, page by page. It does not load events that are newer than
 * its first page.
 */
export function eventsQuery(search: EventSearch) {
  return infiniteQueryOptions({
    queryKey: [key, 'pages', filtersOf(search)],
    queryFn: ({ pageParam }) => searchEvents(search, pageSize, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** Loads a page of matching events: the newest, or from the `nextCursor` of the previous page. */
export function searchEvents(search: EventSearch, limit: number, cursor?: string): Promise<EventPage> {
  return api(key, { query: known({ ...asQuery(search), limit: String(limit), cursor }) });
}

/**
 * Returns the number of matching events, including those that are not loaded. When `isWhole` is false, there may be
 * more.
 */
export function countOf(pages: readonly EventPage[]): { readonly count: number; readonly isWhole: boolean } {
  const [first] = pages;
  if (first === undefined) return { count: 0, isWhole: false };
  const loaded = pages.reduce((sum, { events }) => sum + events.length, 0);
  const isWhole = first.totalRelation === 'eq' || pages.at(-1)?.nextCursor === null;
  return { count: first.totalRelation === 'eq' ? first.total : Math.max(first.total, loaded), isWhole };
}

/** Returns the query for an event; null when the event does not exist or is not visible to the user. */
export function eventQuery(id: number) {
  return queryOptions({
    queryKey: [key, 'one', id],
    queryFn: async () => (await api(key, { query: { id: `IS:${id}` } })).events[0] ?? null,
  });
}

/** Returns the query for the newest events that a signal caused, and their total number. */
export function causedByQuery(signal: number) {
  return queryOptions({
    queryKey: [key, 'caused', signal],
    queryFn: () => searchEvents({ signal }, 20),
  });
}

/**
 * Returns the query for a signal. For a signal that retention has deleted, the query has the digest of its payload
 * instead, if an event names the signal.
 */
export function signalQuery(id: number) {
  return queryOptions({
    queryKey: ['GET /api/admin/signals', 'one', id],
    queryFn: async () => {
      const { signals, deleted } = await api('GET /api/admin/signals', { query: { id: `IS:${id}` } });
      return { signal: signals[0] ?? null, digest: deleted?.[0] ?? null };
    },
  });
}

/** Returns the title of an event. For a type without a label it is made from the name of the type. */
export function titleOf({ type, label }: Pick<LoggedEvent, 'type' | 'label'>): string {
  if (label !== type) return label;
  const words = type.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the subject of an event: the flag, another name in its data, or the project. */
export function subjectOf({ featureName, project, data, preData }: LoggedEvent): string | undefined {
  if (featureName !== null) return featureName;
  const fields: Readonly<Record<string, unknown>> = Object(data ?? preData);
  const names = ['name', 'tokenName', 'username', 'email', 'appName', 'description'].map((field) => fields[field]);
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? project ?? undefined;
}
