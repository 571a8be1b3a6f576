import type { ImportedData } from '@yardarm/contract';

/** The part of a file that is imported into an environment, and the environments that are not imported. */
export interface EnvironmentSelection {
  readonly data: ImportedData;
  /** The other environments of the file. */
  readonly otherEnvironments: readonly string[];
  /** True when the file has several environments and the selected one is not among them. */
  readonly isMissing: boolean;
  /** The archived flags of the file. */
  readonly archived: readonly string[];
}

/**
 * Selects the data of one environment, without archived flags. An export contains one environment and may be imported
 * into any. A file of the former state API contains all environments; only the one with the same name is selected.
 */
export function selectEnvironment(data: ImportedData, environment: string): EnvironmentSelection {
  const named = new Set(
    [...data.featureStrategies, ...data.featureEnvironments].flatMap(({ environment: name }) => name ?? []),
  );
  const hasSeveral = named.size > 1;
  const isSelected = (entry: { readonly environment?: string | undefined }) =>
    !hasSeveral || entry.environment === undefined || entry.environment === environment;
  const archived = new Set(data.features.flatMap((flag) => (flag.archived === true ? [flag.name] : [])));
  return {
    data: {
      ...data,
      features: data.features.filter(({ name }) => !archived.has(name)),
      featureStrategies: data.featureStrategies.filter(
        (strategy) => isSelected(strategy) && !archived.has(strategy.featureName),
      ),
      featureEnvironments: data.featureEnvironments.filter(isSelected),
    },
    otherEnvironments: hasSeveral ? [...named].filter((name) => name !== environment) : [],
    isMissing: hasSeveral && !named.has(environment),
    archived: [...archived],
  };
}
