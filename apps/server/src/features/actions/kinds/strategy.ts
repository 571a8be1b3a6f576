import { z } from 'zod';
import { Problem } from '../../../kernel/errors.ts';
import type { Tx } from '../../../storage/tx.ts';
import { listStrategies, type Strategy } from '../../flags/index.ts';
import type { ParameterDefinition } from './kind.ts';

/** What names a strategy of a flag in an environment. */
export const strategyPlace = {
  project: z.string(),
  environment: z.string(),
  featureName: z.string(),
};

export const ofStrategy: ParameterDefinition = { name: 'strategyId', label: 'Strategy', type: 'text', optional: false };

interface Place {
  readonly environment: string;
  readonly featureName: string;
  readonly strategyId?: string | undefined;
}

/** The strategy that is named, or else the only gradual rollout of the flag there. A 404 or 400 that says which is missing. */
export async function strategyAt(tx: Tx, { featureName, environment, strategyId }: Place): Promise<Strategy> {
  const strategies = await listStrategies(tx.db, [featureName], environment);
  if (strategyId !== undefined) {
    const named = strategies.find(({ id }) => id === strategyId);
    if (named !== undefined) return named;
    throw new Problem('NotFoundError', `The flag ${featureName} has no strategy ${strategyId} in ${environment}.`);
  }
  const rollouts = strategies.filter(({ name }) => name === 'flexibleRollout');
  const [only] = rollouts;
  if (only !== undefined && rollouts.length === 1) return only;
  const message = `The flag ${featureName} has ${rollouts.length} gradual rollouts in ${environment}: name the strategy.`;
  throw new Problem('BadDataError', message);
}
