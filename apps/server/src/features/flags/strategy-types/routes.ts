import type { strategyTypeRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { listStrategyTypes } from './store.ts';
import type { StrategyType } from './strategy-type.ts';

export function strategyTypeHandlers(
  { db, write }: Database,
  policy: commands.StrategyPolicy,
): Handlers<typeof strategyTypeRoutes> {
  return {
    'GET /api/admin/strategies': async () => ({
      body: { version: 1, strategies: (await listStrategyTypes(db)).map(present) },
    }),
    'POST /api/admin/strategies': async ({ body, author }) => {
      const created = await write(author, (tx) => commands.createStrategyType(tx, policy, body));
      const location = `strategies/${encodeURIComponent(created.name)}`;
      return { body: present(created), headers: { location } };
    },
    'GET /api/admin/strategies/:name': async ({ params }) => ({
      body: present(await commands.requireStrategyType(db, params.name)),
    }),
    'PUT /api/admin/strategies/:name': async ({ params, body, author }) =>
      write(author, (tx) => commands.updateStrategyType(tx, policy, params.name, body)),
    'DELETE /api/admin/strategies/:name': async ({ params, author }) =>
      write(author, (tx) => commands.deleteStrategyType(tx, policy, params.name)),
    'POST /api/admin/strategies/:strategyName/deprecate': async ({ params, author }) =>
      write(author, (tx) => commands.setDeprecated(tx, params.strategyName, true)),
    'POST /api/admin/strategies/:strategyName/reactivate': async ({ params, author }) =>
      write(author, (tx) => commands.setDeprecated(tx, params.strategyName, false)),
  };
}

function present(strategyType: StrategyType) {
  return { ...strategyType, parameters: [...strategyType.parameters] };
}
