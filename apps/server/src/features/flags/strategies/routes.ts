import {
  fieldsIn,
  initialStrategy,
  patchedStrategySchema,
  strategyFields,
  type strategyRoutes,
} from '@yardarm/contract';
import { checkLegalValues } from '#features/flags/context-fields/index.ts';
import { checkConstraint } from '#features/platform/constraints/index.ts';
import type { Handlers } from '#http/handler.ts';
import { applyPatch, type PatchOperation } from '#http/json-patch.ts';
import { parse } from '#http/parse.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { presentStrategy } from './present.ts';
import type { Strategy, StrategyInput, StrategyLimits } from './strategy.ts';

type Params = { readonly projectId: string; readonly featureName: string; readonly environment: string };

export function strategyHandlers({ db, write }: Database, limits: StrategyLimits): Handlers<typeof strategyRoutes> {
  return {
    'POST /api/admin/constraints/validate': async ({ body }) => {
      const { looseNumber: _, ...constraint } = body;
      checkConstraint(constraint, limits);
      await checkLegalValues(db, null, [constraint], [], () => '');
    },
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies': async (input) => {
      const strategies = await commands.listStrategiesOf(db, refOf(input.params));
      return { body: strategies.map(presentStrategy) };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies': async (input) => {
      const { params, body, author } = input;
      const strategy = await write(author, (tx) => commands.addStrategy(tx, limits, refOf(params), body));
      return { body: presentStrategy(strategy) };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/set-sort-order':
      async ({ params, body, author }) => write(author, (tx) => commands.orderStrategies(tx, refOf(params), body)),
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId':
      async ({ params }) => {
        const strategy = await commands.requireStrategy(db, { ...refOf(params), id: params.strategyId });
        return { body: presentStrategy(strategy) };
      },
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId':
      async ({ params, body, author }) => {
        const ref = { ...refOf(params), id: params.strategyId };
        const strategy = await write(author, (tx) => commands.changeStrategy(tx, limits, ref, () => body));
        return { body: presentStrategy(strategy) };
      },
    'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId':
      async ({ params, body, author }) => {
        const ref = { ...refOf(params), id: params.strategyId };
        const strategy = await write(author, (tx) =>
          commands.changeStrategy(tx, limits, ref, (current) => applyStrategyPatch(current, body)),
        );
        return { body: presentStrategy(strategy) };
      },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId':
      async ({ params, author }) => {
        const ref = { ...refOf(params), id: params.strategyId };
        await write(author, (tx) => commands.deleteStrategy(tx, ref));
      },
  };
}

function refOf({ projectId, featureName, environment }: Params): commands.FlagEnvironmentRef {
  return { project: projectId, featureName, environment };
}

/** Applies a JSON Patch to a strategy; removed fields become empty. */
function applyStrategyPatch(strategy: Strategy, operations: readonly PatchOperation[]): StrategyInput {
  const { sortOrder: _, ...empty } = initialStrategy;
  const document = fieldsIn(strategyFields, strategy);
  return { ...empty, ...parse(patchedStrategySchema, applyPatch(document, operations)) };
}
