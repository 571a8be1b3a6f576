import type { releasePlanListRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { listPlans } from './list-plans.ts';
import { presentListedPlan } from './present.ts';

export function releasePlanListHandlers(database: Database, clock: Clock): Handlers<typeof releasePlanListRoutes> {
  return {
    'GET /api/admin/release-plans': async ({ query, caller }) => {
      const { plans, total } = await listPlans(database, caller.hidden, query);
      const now = clock.now();
      return { body: { releasePlans: plans.map((plan) => presentListedPlan(plan, now)), total } };
    },
  };
}
