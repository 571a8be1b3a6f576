import { emptyStrategy, presentStrategy, type Strategy } from '#features/flags/strategies/index.ts';

/** The strategy that a flag of the project gets when it is switched on there without an active strategy. */
export interface DefaultStrategy
  extends Pick<Strategy, 'environment' | 'name' | 'title' | 'parameters' | 'constraints' | 'variants' | 'segments'> {
  readonly project: string;
}

/** Creates the strategy of a flag from a default strategy. The caller completes its parameters. */
export function strategyOf(defaultStrategy: DefaultStrategy, id: string, featureName: string, now: number): Strategy {
  const { project: _, ...rest } = defaultStrategy;
  return { ...emptyStrategy(id, featureName, defaultStrategy.environment, now), ...rest };
}

/** Returns a default strategy as the API answers it and as the event log stores it. */
export function presentDefault(defaultStrategy: DefaultStrategy) {
  const strategy = presentStrategy(strategyOf(defaultStrategy, '', '', 0));
  const { id: _id, featureName: _name, sortOrder: _order, ...fields } = strategy;
  return fields;
}
