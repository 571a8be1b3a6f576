import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type Now = Answer<'GET /api/admin/now'>;
export type Held = Now['holds'][number];
export type Override = Now['overrides'][number];

/** The routes whose answers change with an override. */
export const overrideRoutes = ['GET /api/admin/now', 'GET /api/admin/automation-overrides'] as const;

/** The holds, failures, refusals, waiting and scheduled changes of now. */
export const nowQuery = queryOptions({
  queryKey: ['GET /api/admin/now'],
  queryFn: () => api('GET /api/admin/now'),
});

/** The newest holds, for the notice on every page. */
export const newestHoldsQuery = queryOptions({
  queryKey: ['GET /api/admin/leases'],
  queryFn: () => api('GET /api/admin/leases', { query: { limit: '20' } }),
});

/** The overrides in force. */
export const overridesQuery = queryOptions({
  queryKey: ['GET /api/admin/automation-overrides'],
  queryFn: () => api('GET /api/admin/automation-overrides'),
});
