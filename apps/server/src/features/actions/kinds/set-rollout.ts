import { z } from 'zod';
import { changeStrategy } from '../../flags/index.ts';
import { defineKind, ofEnvironment, ofFlag, ofProject, wholeNumber } from './kind.ts';
import { ofStrategy, strategyAt, strategyPlace } from './strategy.ts';

export const setRollout = defineKind({
  label: 'Set the percentage of a gradual rollout',
  description: 'Sets for how many of a hundred a strategy is on; without a strategy, that of the only gradual rollout',
  category: 'Strategies',
  permission: 'UPDATE_FEATURE_STRATEGY',
  parameters: [
    ofProject,
    ofEnvironment,
    ofFlag,
    { ...ofStrategy, optional: true },
    { name: 'rollout', label: 'Percentage', type: 'number', optional: false },
  ],
  schema: z.strictObject({ ...strategyPlace, strategyId: z.string().optional(), rollout: wholeNumber(100) }),
  run: async (tx, { rollout, ...place }, { strategies }) => {
    const { id } = await strategyAt(tx, place);
    await changeStrategy(tx, strategies, { ...place, id }, ({ parameters }) => ({
      parameters: { ...parameters, rollout: String(rollout) },
    }));
    return undefined;
  },
});
