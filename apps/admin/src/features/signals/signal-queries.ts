import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type SignalEndpoint = Answer<'GET /api/admin/signal-endpoints'>['signalEndpoints'][number];
export type EndpointSignal =
  Answer<'GET /api/admin/signal-endpoints/:signalEndpointId/signals'>['signalEndpointSignals'][number];

export const endpointsQuery = queryOptions({
  queryKey: ['GET /api/admin/signal-endpoints'],
  queryFn: async () => (await api('GET /api/admin/signal-endpoints')).signalEndpoints,
});
