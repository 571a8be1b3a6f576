import type { ImportedData } from '@yardarm/contract';
import type { DesiredEnvironment, DesiredFlag, DesiredStrategy } from '../flags/index.ts';
import type { WantedState } from '../state/index.ts';
import { type ImportedStrategy, inOrder } from './strategy-order.ts';

/** Where an export is imported. */
export interface ImportTarget {
  readonly project: string;
  readonly environment: string;
}

/**
 * What an export wants of a project and environment. Of flags it says all that it can: where it says nothing they have
 * what is usual. Strategies name segments by the ids that these have in the export; one it does not list keeps its id as its name, which
 * no segment has.
 */
export function wantedOf(data: ImportedData, target: ImportTarget): WantedState {
  const segmentNames = new Map(data.segments.map(({ id, name }) => [id, name]));
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName);
  const states = new Map(data.featureEnvironments.map((one) => [one.featureName ?? one.name ?? '', one]));
  const tags = Map.groupBy(data.featureTags, ({ featureName }) => featureName);
  const links = Map.groupBy(data.links, ({ feature }) => feature);
  const dependencies = new Map(data.dependencies.map((one) => [one.feature, one.dependencies[0]]));
  const used = usedSegments(data);
  return {
    projects: [],
    segments: data.segments
      .filter(({ id, constraints }) => used.has(id) && constraints !== undefined)
      .map(({ id: _, ...one }) => ({ ...one, project: one.project === undefined ? null : target.project })),
    contextFields: data.contextFields.map((one) => ({
      ...one,
      project: one.project === undefined ? null : target.project,
    })),
    tagTypes: data.tagTypes,
    strategies: data.customStrategies,
    actionSets: [],
    flags: data.features.map(({ name, variants, ...feature }): DesiredFlag => {
      const state = states.get(name);
      const own = state?.variants !== undefined && state.variants.length > 0 ? state.variants : variants;
      const { strategies: ordered, order } = inOrder(strategies.get(name) ?? []);
      const inEnvironment: DesiredEnvironment = {
        enabled: state?.enabled,
        strategies: ordered.map((one) => strategyOf(one, segmentNames)),
        isOrderGuessed: order !== 'told',
        variants: own ?? [],
      };
      return {
        name,
        project: target.project,
        type: feature.type ?? 'release',
        description: feature.description ?? null,
        impressionData: feature.impressionData ?? false,
        stale: feature.stale ?? false,
        moreTags: (tags.get(name) ?? []).map(({ type, value }) => ({ type, value })),
        moreLinks: (links.get(name) ?? []).flatMap((one) => one.links),
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
    segments: segments.map((id) => segmentNames.get(id) ?? String(id)),
  };
}

/** Ids of the segments that strategies use. */
export function usedSegments(data: ImportedData): ReadonlySet<number> {
  return new Set(data.featureStrategies.flatMap(({ segments = [] }) => segments));
}
