import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { asQuery, type EventSearch, filtersOf } from './event-search.ts';

export type EventPage = Answer<'GET /api/admin/search/events'>;
export type LoggedEvent = EventPage['events'][number];
export type ReceivedSignal = Answer<'GET /api/admin/signals'>['signals'][number];

const pageSize = 50;
const key = 'GET /api/admin/search/events';

/** The events that meet the filters, newest first, page after page. What happens meanwhile is not among them. */
export function eventsQuery(search: EventSearch) {
  return infiniteQueryOptions({
    queryKey: [key, 'pages', filtersOf(search)],
    queryFn: ({ pageParam }) => searchEvents(search, pageSize, pageParam),
    initialPageParam: 0,
    getNextPageParam: (last, all) =>
      last.events.length < pageSize ? undefined : all.reduce((sum, { events }) => sum + events.length, 0),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}

export function searchEvents(search: EventSearch, limit: number, offset = 0): Promise<EventPage> {
  return api(key, { query: { ...asQuery(search), limit: String(limit), offset: String(offset) } });
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
