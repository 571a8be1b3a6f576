import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { asQuery, type EventSearch, filtersOf, known } from './event-search.ts';

export type EventPage = Answer<'GET /api/admin/search/events'>;
export type LoggedEvent = EventPage['events'][number];
export type ReceivedSignal = Answer<'GET /api/admin/signals'>['signals'][number];

export const pageSize = 50;
const key = 'GET /api/admin/search/events';

/** The events that meet the filters, newest first, page after page. What happens meanwhile is not among them. */
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

/** A page of the events that meet the filters: the newest, or those from the `nextCursor` of an earlier page on. */
export function searchEvents(search: EventSearch, limit: number, cursor?: string): Promise<EventPage> {
  return api(key, { query: known({ ...asQuery(search), limit: String(limit), cursor }) });
}

/** How many events meet the filters, as far as the pages tell: the first counts some that are not loaded. */
export function countOf(pages: readonly EventPage[]): { readonly count: number; readonly isWhole: boolean } {
  const [first] = pages;
  if (first === undefined) return { count: 0, isWhole: false };
  const loaded = pages.reduce((sum, { events }) => sum + events.length, 0);
  const isWhole = first.totalRelation === 'eq' || pages.at(-1)?.nextCursor === null;
  return { count: first.totalRelation === 'eq' ? first.total : Math.max(first.total, loaded), isWhole };
}

/** One event; null when there is none, or none that the person may see. */
export function eventQuery(id: number) {
  return queryOptions({
    queryKey: [key, 'one', id],
    queryFn: async () => (await api(key, { query: { id: `IS:${id}` } })).events[0] ?? null,
  });
}

/** The newest of what a signal caused, and how much that is. */
export function causedByQuery(signal: number) {
  return queryOptions({
    queryKey: [key, 'caused', signal],
    queryFn: () => searchEvents({ signal }, 20),
  });
}

/** One signal; null when there is none any more. */
export function signalQuery(id: number) {
  return queryOptions({
    queryKey: ['GET /api/admin/signals', 'one', id],
    queryFn: async () => (await api('GET /api/admin/signals', { query: { id: `IS:${id}` } })).signals[0] ?? null,
  });
}

/** What a person calls an event; types without a label of their own are named as they are. */
export function titleOf({ type, label }: Pick<LoggedEvent, 'type' | 'label'>): string {
  if (label !== type) return label;
  const words = type.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What an event is about: the flag, or what else bears a name in it. */
export function subjectOf({ featureName, data, preData }: LoggedEvent): string | undefined {
  if (featureName !== null) return featureName;
  const fields: Readonly<Record<string, unknown>> = Object(data ?? preData);
  const names = ['name', 'tokenName', 'username', 'email', 'description'].map((field) => fields[field]);
  return names.find((name): name is string => typeof name === 'string' && name !== '');
}
