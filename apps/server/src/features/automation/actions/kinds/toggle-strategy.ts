import { z } from 'zod';
import { changeStrategy } from '#features/flags/strategies/index.ts';
import { type ActionKind, defineKind, environmentParameter, flagParameter, projectParameter } from './kind.ts';
import { strategyParameter, strategyPlaceSchema } from './strategy.ts';

function toggle(disabled: boolean): ActionKind {
  const how = disabled ? 'Disable' : 'Enable';
  return defineKind({
    label: `${how} a strategy`,
    description: `${how}s a strategy of a feature flag${disabled ? '. A flag without an enabled strategy is turned off' : ''}`,
    category: 'Strategies',
    permission: 'UPDATE_FEATURE_STRATEGY',
    parameters: [projectParameter, environmentParameter, flagParameter, strategyParameter],
    schema: z.strictObject({ ...strategyPlaceSchema, strategyId: z.string() }),
    run: async (tx, { strategyId, ...place }, { strategies }) => {
      await changeStrategy(tx, strategies, { ...place, id: strategyId }, () => ({ disabled }));
      return undefined;
    },
  });
}

export const disableStrategy = toggle(true);
export const enableStrategy = toggle(false);
