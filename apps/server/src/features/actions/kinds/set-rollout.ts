import { z } from 'zod';
import { changeStrategy } from '../../flags/index.ts';
import { defineKind, environmentParameter, flagParameter, projectParameter, wholeNumber } from './kind.ts';
import { findStrategy, strategyParameter, strategyPlaceSchema } from './strategy.ts';

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
    const { id } = await findStrategy(tx, place);
    await changeStrategy(tx, strategies, { ...place, id }, ({ parameters }) => ({
      parameters: { ...parameters, rollout: String(rollout) },
    }));
    return undefined;
  },
});
