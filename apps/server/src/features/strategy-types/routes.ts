import type { strategyTypeRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Database } from '../../storage/database.ts';
import * as commands from './commands.ts';
import { listDefinitions } from './store.ts';
import type { StrategyType } from './strategy-type.ts';

export function strategyTypeHandlers(
  { db, write }: Database,
  policy: commands.StrategyPolicy,
): Handlers<typeof strategyTypeRoutes> {
  return {
    'GET /api/admin/strategies': async () => ({
      status: 200,
      body: { version: 1, strategies: (await listDefinitions(db)).map(present) },
    }),
    'POST /api/admin/strategies': async ({ body, caller, request }) => {
      const created = await write(authorOf(caller, request), (tx) => commands.createDefinition(tx, policy, body));
      const location = `strategies/${encodeURIComponent(created.name)}`;
      return { status: 201, body: present(created), headers: { location } };
    },
    'GET /api/admin/strategies/:name': async ({ params }) => ({
      status: 200,
      body: present(await commands.requireDefinition(db, params.name)),
    }),
    'PUT /api/admin/strategies/:name': async ({ params, body, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.updateDefinition(tx, policy, params.name, body));
      return { status: 200 };
    },
    'DELETE /api/admin/strategies/:name': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteDefinition(tx, policy, params.name));
      return { status: 200 };
    },
    'POST /api/admin/strategies/:strategyName/deprecate': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.setDeprecated(tx, params.strategyName, true));
      return { status: 200 };
    },
    'POST /api/admin/strategies/:strategyName/reactivate': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.setDeprecated(tx, params.strategyName, false));
      return { status: 200 };
    },
  };
}

function present(definition: StrategyType) {
  return { ...definition, parameters: [...definition.parameters] };
}
