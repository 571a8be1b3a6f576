import type { defaultStrategyRoutes } from '@yardarm/contract';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { setDefaultStrategy } from './commands.ts';
import { presentDefault } from './default-strategy.ts';

export function defaultStrategyHandlers(
  { write }: Database,
  limits: StrategyLimits,
): Handlers<typeof defaultStrategyRoutes> {
  return {
    'POST /api/admin/projects/:projectId/environments/:environment/default-strategy': async (input) => {
      const { params, body, author } = input;
      const place = { project: params.projectId, environment: params.environment };
      const updated = await write(author, (tx) => setDefaultStrategy(tx, limits, place, body));
      return { body: presentDefault(updated) };
    },
  };
}
