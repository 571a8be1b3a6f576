import type { actionCallRoutes, actionMergeRoutes, actionRoutes, actionRunRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { callDeliveryHandlers } from './call-deliveries/index.ts';
import { dryRunHandlers } from './dry-run/index.ts';
import { historyHandlers } from './history/index.ts';
import { type RunContext, runHandlers } from './runs/index.ts';
import { actionSetHandlers, mergeHandlers, type Outbound, type SetLimits } from './sets/index.ts';

export function actionHandlers(
  database: Database,
  clock: Clock,
  limits: SetLimits,
  context: RunContext,
  outbound: Outbound,
): Handlers<typeof actionRoutes & typeof actionMergeRoutes & typeof actionRunRoutes & typeof actionCallRoutes> {
  return {
    ...actionSetHandlers(database, limits, outbound),
    ...mergeHandlers(database, limits),
    ...runHandlers(database, context),
    ...historyHandlers(database, context),
    ...dryRunHandlers(database, clock, limits, context, outbound),
    ...callDeliveryHandlers(database, clock, context),
  };
}
