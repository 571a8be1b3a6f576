import { z } from 'zod';
import type { Strategy } from '#features/flags/strategies/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { ParameterDefinition } from './kind.ts';

/** The parameters that say where a strategy is. */
export const strategyPlaceSchema = {
  project: z.string(),
  environment: z.string(),
  featureName: z.string(),
};

export const strategyParameter: ParameterDefinition = {
  name: 'strategyId',
  label: 'Strategy',
  type: 'text',
  optional: false,
};

interface Place {
  readonly environment: string;
  readonly featureName: string;
  readonly strategyId?: string | undefined;
}

/**
 * Returns the named strategy, or the only gradual rollout of the flag in the environment. Throws 404 when the
 * strategy does not exist, and 400 when no strategy is named and there is not exactly one gradual rollout.
 */
export function chooseStrategy(
  strategies: readonly Strategy[],
  { featureName, environment, strategyId }: Place,
): Strategy {
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
