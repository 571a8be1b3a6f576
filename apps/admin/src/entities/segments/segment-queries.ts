import type { Answer, RouteKey } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Segment = Answer<'GET /api/admin/segments'>['segments'][number];

/** The routes to invalidate after a change of segments. */
export const changedBySegments: readonly RouteKey[] = ['GET /api/admin/segments'];

/** The strategies that use a segment. */
export const segmentUsageQuery = (id: number) =>
  apiQuery('GET /api/admin/segments/:id/strategies', { params: { id } }, ({ strategies }) => strategies);
