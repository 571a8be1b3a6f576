import { fieldsIn, flagFields, type ImportedData, initialFlag } from '@yardarm/contract';
import type { DesiredState } from '#features/as-code/state/index.ts';
import type { DesiredEnvironment, DesiredFlag, DesiredStrategy } from '#features/flags/definitions/index.ts';
import { type ImportedStrategy, orderStrategies } from './strategy-order.ts';

/** The project and environment to import into. */
export interface ImportTarget {
  readonly project: string;
  readonly environment: string;
}

/**
 * Converts an export to the desired state of a project and environment. An export is complete for its flags: an absent
 * field has its default. Segment ids are replaced by names. An id that the export does not list is left out: the import
 * is refused for it, see {@link unlistedSegments}.
 */
export function toDesiredState(data: ImportedData, target: ImportTarget): DesiredState {
  const segmentNames = new Map(data.segments.map(({ id, name }) => [id, name]));
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName);
  const states = new Map(data.featureEnvironments.map((state) => [state.featureName ?? state.name ?? '', state]));
  const tags = Map.groupBy(data.featureTags, ({ featureName }) => featureName);
  const links = Map.groupBy(data.links, ({ feature }) => feature);
  const dependencies = new Map(data.dependencies.map(({ feature, dependencies: [first] }) => [feature, first]));
  const used = usedSegments(data);
  return {
    projects: [],
    segments: data.segments
      .filter(({ id, constraints }) => used.has(id) && constraints !== undefined)
      .map(({ id: _, ...segment }) => ({ ...segment, project: segment.project === undefined ? null : target.project })),
    contextFields: data.contextFields.map((field) => ({
      ...field,
      project: field.project === undefined ? null : target.project,
    })),
    tagTypes: data.tagTypes,
    strategies: data.customStrategies,
    actionSets: [],
    flags: data.features.map(({ name, variants, ...feature }): DesiredFlag => {
      const state = states.get(name);
      const own = state?.variants !== undefined && state.variants.length > 0 ? state.variants : variants;
      const { strategies: ordered, order } = orderStrategies(strategies.get(name) ?? []);
      const inEnvironment: DesiredEnvironment = {
        enabled: state?.enabled,
        strategies: ordered.map((strategy) => strategyOf(strategy, segmentNames)),
        isOrderGuessed: order !== 'declared',
        variants: own ?? [],
      };
      return {
        name,
        project: target.project,
        ...initialFlag,
        ...fieldsIn(flagFields, feature),
        moreTags: (tags.get(name) ?? []).map(({ type, value }) => ({ type, value })),
        moreLinks: (links.get(name) ?? []).flatMap((entry) => entry.links),
        dependency: dependencies.get(name),
        environments: new Map([[target.environment, inEnvironment]]),
      };
    }),
  };
}

function strategyOf(
  {
    id: _i,
    isInOrder: _o,
    name,
    strategyName,
    featureName: _,
    environment: __,
    segments = [],
    ...rest
  }: ImportedStrategy,
  segmentNames: ReadonlyMap<number, string>,
): DesiredStrategy {
  return {
    ...rest,
    name: name ?? strategyName ?? '',
    segments: segments.flatMap((id) => segmentNames.get(id) ?? []),
  };
}

/** Returns the ids of the segments that strategies use. */
export function usedSegments(data: ImportedData): ReadonlySet<number> {
  return new Set(data.featureStrategies.flatMap(({ segments = [] }) => segments));
}

/** Returns the ids of the segments that strategies use and the export does not list. */
export function unlistedSegments(data: ImportedData): ReadonlySet<number> {
  return usedSegments(data).difference(new Set(data.segments.map(({ id }) => id)));
}
