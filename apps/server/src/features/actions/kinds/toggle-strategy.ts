import { z } from 'zod';
import { changeStrategy } from '../../flags/index.ts';
import { type ActionKind, defineKind, ofEnvironment, ofFlag, ofProject } from './kind.ts';
import { ofStrategy, strategyPlace } from './strategy.ts';

function toggle(disabled: boolean): ActionKind {
  const how = disabled ? 'Disable' : 'Enable';
  return defineKind({
    label: `${how} a strategy`,
    description: `${how}s a strategy of a feature flag${disabled ? '; a flag that is left without an active one goes off' : ''}`,
    category: 'Strategies',
    permission: 'UPDATE_FEATURE_STRATEGY',
    parameters: [ofProject, ofEnvironment, ofFlag, ofStrategy],
    schema: z.strictObject({ ...strategyPlace, strategyId: z.string() }),
    run: async (tx, { strategyId, ...place }, { strategies }) => {
      await changeStrategy(tx, strategies, { ...place, id: strategyId }, () => ({ disabled }));
      return undefined;
    },
  });
}

export const disableStrategy = toggle(true);
export const enableStrategy = toggle(false);
