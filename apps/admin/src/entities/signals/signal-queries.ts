import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import type { SignalSearch } from './signal-search.ts';

export type SignalEndpoint = Answer<'GET /api/admin/signal-endpoints'>['signalEndpoints'][number];
export type EndpointSignal =
  Answer<'GET /api/admin/signal-endpoints/:signalEndpointId/signals'>['signalEndpointSignals'][number];

export const endpointsQuery = apiQuery('GET /api/admin/signal-endpoints', {}, ({ signalEndpoints }) => signalEndpoints);

export type SignalSource = Answer<'GET /api/admin/signal-sources'>['signalSources'][number];

/** The sources, which are the kinds of senders. They change only with the version of the server. */
export const sourcesQuery = queryOptions({
  ...apiQuery('GET /api/admin/signal-sources', {}, ({ signalSources }) => signalSources),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the query for the reasons why requests to an endpoint were refused. */
export function refusalsQuery(id: number) {
  return apiQuery('GET /api/admin/signal-endpoints/:id/refusals', { params: { id } }, ({ refusals }) => refusals);
}

/** Returns the query for the payload of the newest signal of an endpoint; null when the endpoint has received none. */
export function lastPayloadQuery(signalEndpointId: number) {
  return queryOptions({
    queryKey: ['GET /api/admin/signal-endpoints/:signalEndpointId/signals', signalEndpointId, 'last'],
    queryFn: async () => {
      const { signalEndpointSignals } = await api('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId },
        query: { limit: '5' },
      });
      return (signalEndpointSignals.find(({ silence }) => !silence)?.payload ?? null) as unknown;
    },
  });
}

const pageSize = 20;

/** Returns the query for the signals of an endpoint that match the filters, newest first. */
export function receivedQuery(signalEndpointId: number, { query, from, to }: SignalSearch) {
  const filters = { ...(query && { query }), ...(from && { from: `IS:${from}` }), ...(to && { to: `IS:${to}` }) };
  return infiniteQueryOptions({
    queryKey: ['GET /api/admin/signal-endpoints/:signalEndpointId/signals', signalEndpointId, 'received', filters],
    queryFn: async ({ pageParam }) => {
      const answer = await api('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId },
        query: { ...filters, limit: String(pageSize), offset: String(pageParam) },
      });
      return answer.signalEndpointSignals;
    },
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length * pageSize),
  });
}

/** Returns the name of the sender of a signal: the name of its token, or words such as "Test signal". */
export function senderOf({ tokenName, test, silence }: Pick<EndpointSignal, 'tokenName' | 'test' | 'silence'>): string {
  if (silence) return 'Made by Yardarm';
  return tokenName ?? (test ? 'Test signal' : 'Deleted token');
}

/** Returns the title that the source recognised, or the first words of the payload. */
export function summaryOf({ normalized, payload }: Pick<EndpointSignal, 'normalized' | 'payload'>): string {
  return normalized?.title ?? firstWords(payload);
}

function firstWords(payload: unknown): string {
  if (typeof payload !== 'object' || payload === null) return String(payload).slice(0, 80);
  return texts(payload).slice(0, 3).join(' · ').slice(0, 80);
}

function texts(value: object): string[] {
  return Object.values(value).flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    return typeof part === 'object' && part !== null ? texts(part) : [];
  });
}
