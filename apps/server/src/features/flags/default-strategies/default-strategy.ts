import { emptyStrategy, type Strategy } from '../strategies/index.ts';

/** What flags of a project get when they are switched on in an environment without an active strategy. */
export interface DefaultStrategy
  extends Pick<Strategy, 'environment' | 'name' | 'title' | 'parameters' | 'constraints' | 'variants' | 'segments'> {
  readonly project: string;
}

/** The strategy of a flag that is made of a default. What its parameters lack is still to be filled in. */
export function strategyOf(given: DefaultStrategy, id: string, featureName: string, now: number): Strategy {
  const { project: _, ...rest } = given;
  return { ...emptyStrategy(id, featureName, given.environment, now), ...rest };
}

/** A default strategy as it is answered, and as the event log keeps it. */
export function presentDefault({ name, title, parameters, constraints, variants, segments }: DefaultStrategy) {
  return {
    name,
    title,
    disabled: false,
    parameters: { ...parameters },
    constraints: constraints.map((one) => ({ ...one, values: [...one.values] })),
    variants: variants.map((one) => ({ ...one })),
    segments: [...segments],
  };
}
