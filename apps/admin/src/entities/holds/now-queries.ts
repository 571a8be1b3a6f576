import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Now = Answer<'GET /api/admin/now'>;
export type Held = Now['holds'][number];
export type Undecided = NonNullable<Now['undecided']>[number];
export type ListedPlans = Answer<'GET /api/admin/release-plans'>;
export type ListedPlan = ListedPlans['releasePlans'][number];
export type Override = Now['overrides'][number];

/** The routes whose answers change when an override is placed or ended. */
export const overrideRoutes = ['GET /api/admin/now', 'GET /api/admin/automation-overrides'] as const;

/** The content of the Now page: holds, failures, blocked actions, refusals, and waiting and scheduled changes. */
export const nowQuery = queryOptions({
  ...apiQuery('GET /api/admin/now'),
  // Live pages follow the activity, which does not change with loop probes. Their results are loaded by this interval.
  refetchInterval: 60_000,
});

/** The newest holds, for the notice on every page. */
export const newestHoldsQuery = apiQuery('GET /api/admin/leases', { query: { limit: '20' } });

/** The overrides in force. */
export const overridesQuery = apiQuery('GET /api/admin/automation-overrides');

/** The release plans that need a person, then the others. */
export const releasePlansQuery = apiQuery('GET /api/admin/release-plans', { query: { limit: '10' } });
