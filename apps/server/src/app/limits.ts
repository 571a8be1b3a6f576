import type { Config } from '#config/settings.ts';
import type { SetLimits } from '#features/automation/actions/index.ts';
import type { ReviewPolicy } from '#features/flags/change-control/index.ts';
import type { FlagLimits } from '#features/flags/flags/index.ts';
import type { SegmentLimits } from '#features/flags/segments/index.ts';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import type { TemplateLimits } from '#features/releases/release-templates/index.ts';
import type { SignalLimits } from '#features/signals/signals/index.ts';

/** The limits of the instance, grouped as the features take them. */
export interface Limits {
  readonly projects: number;
  readonly environments: number;
  readonly apiTokens: number;
  readonly holds: number;
  readonly flags: FlagLimits;
  readonly strategies: StrategyLimits;
  readonly releaseTemplates: TemplateLimits;
  readonly segments: SegmentLimits;
  readonly review: ReviewPolicy;
  readonly actionSets: SetLimits;
  readonly signals: SignalLimits;
}

/** Returns the limits of the settings. */
export function limitsOf(config: Config): Limits {
  const strategies: StrategyLimits = {
    strategies: config.strategyLimit,
    constraints: config.constraintLimit,
    constraintValues: config.constraintValuesLimit,
    segments: config.strategySegmentsLimit,
  };
  const filters = { filters: config.actionSetFiltersLimit, values: config.actionSetFilterValuesLimit };
  return {
    projects: config.projectLimit,
    environments: config.environmentLimit,
    apiTokens: config.apiTokenLimit,
    holds: config.holdLimit,
    flags: { features: config.featureLimit, ...strategies },
    strategies,
    releaseTemplates: { templates: config.releaseTemplateLimit, strategies },
    segments: {
      segments: config.segmentLimit,
      constraints: config.constraintLimit,
      values: config.segmentValuesLimit,
    },
    review: { binding: config.bindingReview },
    actionSets: {
      sets: config.actionSetsLimit,
      actions: config.actionSetActionsLimit,
      ...filters,
    },
    signals: {
      endpoints: config.signalEndpointsLimit,
      tokensPerEndpoint: config.signalTokensLimit,
      expected: filters,
    },
  };
}

/** Returns the limits of the instance by Unleash's names (docs/spec#resource-limits). */
export function resourceLimits(limits: Limits): Readonly<Record<string, number>> {
  const { flags, strategies, segments, actionSets, signals } = limits;
  return {
    releaseTemplates: limits.releaseTemplates.templates,
    signalEndpoints: signals.endpoints,
    signalTokensPerEndpoint: signals.tokensPerEndpoint,
    actionSetsPerProject: actionSets.sets,
    actionSetActions: actionSets.actions,
    actionSetFilters: actionSets.filters,
    actionSetFilterValues: actionSets.values,
    featureFlags: flags.features,
    featureEnvironmentStrategies: strategies.strategies,
    featureEnvironmentLeases: limits.holds,
    constraints: strategies.constraints,
    constraintValues: strategies.constraintValues,
    segments: segments.segments,
    segmentValues: segments.values,
    strategySegments: strategies.segments,
    projects: limits.projects,
    environments: limits.environments,
    apiTokens: limits.apiTokens,
  };
}
