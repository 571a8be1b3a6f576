import type { ImportedData } from '@yardarm/contract';

/** What of a file is imported into an environment, and what is not. */
export interface Chosen {
  readonly data: ImportedData;
  /** Environments that the file tells of besides that one. */
  readonly others: readonly string[];
  /** Whether it tells of several environments, of which that one is none. */
  readonly elsewhere: boolean;
  /** Flags that the file says are archived. */
  readonly archived: readonly string[];
}

/**
 * What a file says of one environment, without the flags that are archived in it. An export tells of one environment,
 * whatever that is called: it may go into any. A file of the state API tells of all that there were, and then only what it
 * says of the environment of that name is meant.
 */
export function chooseFrom(data: ImportedData, environment: string): Chosen {
  const told = new Set(
    [...data.featureStrategies, ...data.featureEnvironments].flatMap((one) => one.environment ?? []),
  );
  const several = told.size > 1;
  const isMeant = (one: { readonly environment?: string | undefined }) =>
    !several || one.environment === undefined || one.environment === environment;
  const archived = new Set(data.features.flatMap((one) => (one.archived === true ? [one.name] : [])));
  return {
    data: {
      ...data,
      features: data.features.filter(({ name }) => !archived.has(name)),
      featureStrategies: data.featureStrategies.filter((one) => isMeant(one) && !archived.has(one.featureName)),
      featureEnvironments: data.featureEnvironments.filter(isMeant),
    },
    others: several ? [...told].filter((name) => name !== environment) : [],
    elsewhere: several && !told.has(environment),
    archived: [...archived],
  };
}
