import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, type RouteKey } from '../../lib/api.ts';

export type Segment = Answer<'GET /api/admin/segments'>['segments'][number];

/** The routes to invalidate after a change of segments. */
export const changedBySegments: readonly RouteKey[] = ['GET /api/admin/segments'];

/** The strategies that use a segment. */
export const segmentUsageQuery = (id: number) =>
  queryOptions({
    queryKey: ['GET /api/admin/segments/:id/strategies', id],
    queryFn: async () => (await api('GET /api/admin/segments/:id/strategies', { params: { id } })).strategies,
  });
