import { z } from 'zod';
import { changeChosenStrategy, type Strategy } from '#features/flags/strategies/index.ts';
import { defineKind, environmentParameter, flagParameter, projectParameter, wholeNumber } from './kind.ts';
import { chooseStrategy, strategyParameter, strategyPlaceSchema } from './strategy.ts';

export const setRollout = defineKind({
  label: 'Set the percentage of a gradual rollout',
  description: 'Sets the percentage of a strategy. Without a strategy, the flag must have exactly one gradual rollout',
  category: 'Strategies',
  permission: 'UPDATE_FEATURE_STRATEGY',
  parameters: [
    projectParameter,
    environmentParameter,
    flagParameter,
    { ...strategyParameter, optional: true },
    { name: 'rollout', label: 'Percentage', type: 'number', optional: false },
  ],
  schema: z.strictObject({ ...strategyPlaceSchema, strategyId: z.string().optional(), rollout: wholeNumber(100) }),
  run: async (tx, { rollout, ...place }, { strategies }) => {
    const choose = (present: readonly Strategy[]) => chooseStrategy(present, place);
    await changeChosenStrategy(tx, strategies, place, choose, ({ parameters }) => ({
      parameters: { ...parameters, rollout: String(rollout) },
    }));
    return undefined;
  },
});
