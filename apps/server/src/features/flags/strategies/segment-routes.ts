import type { strategySegmentRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { requirePermission } from '#http/permission.ts';
import type { Database } from '#storage/database.ts';
import { changeStrategy, resolveStrategyRef } from './commands.ts';
import type { StrategyLimits } from './strategy.ts';

export function strategySegmentHandlers(
  { write }: Database,
  limits: StrategyLimits,
): Handlers<typeof strategySegmentRoutes> {
  return {
    'POST /api/admin/segments/strategies': async ({ body, author, caller }) => {
      const { projectId, environmentId, strategyId, segmentIds } = body;
      requirePermission(caller, 'UPDATE_FEATURE_STRATEGY', { project: projectId, environment: environmentId });
      const { segments } = await write(author, async (tx) => {
        const place = { project: projectId, environment: environmentId, id: strategyId };
        const ref = await resolveStrategyRef(tx.db, place);
        return changeStrategy(tx, limits, ref, () => ({ segments: segmentIds }));
      });
      return { body: { projectId, strategyId, environmentId, segmentIds: [...segments] } };
    },
  };
}
