import { tagScenarios } from '#features/flags/flags/tags/tags.scenarios.ts';
import type { Scenario } from '#testing/scenario.ts';
import { defaultStrategyScenarios } from './default-strategies/default-strategies.scenarios.ts';
import { dependencyScenarios } from './dependencies/dependencies.scenarios.ts';
import { archiveScenarios } from './editing/archive.scenarios.ts';
import { featureScenarios } from './editing/editing.scenarios.ts';
import { limitScenarios } from './editing/limit.scenarios.ts';
import { moveScenarios } from './editing/move.scenarios.ts';
import { typeScenarios } from './flag-types/flag-types.scenarios.ts';
import { lifecycleScenarios } from './lifecycle/lifecycle.scenarios.ts';
import { linkScenarios } from './links/links.scenarios.ts';
import { rolloutScenarios } from './strategies/rollout.scenarios.ts';
import { strategySegmentScenarios } from './strategies/segment.scenarios.ts';
import { strategyScenarios } from './strategies/strategies.scenarios.ts';
import { stateScenarios } from './toggling/toggling.scenarios.ts';
import { variantScenarios } from './variants/variants.scenarios.ts';

export const flagScenarios: readonly Scenario[] = [
  ...featureScenarios,
  ...archiveScenarios,
  ...defaultStrategyScenarios,
  ...dependencyScenarios,
  ...lifecycleScenarios,
  ...linkScenarios,
  ...typeScenarios,
  ...stateScenarios,
  ...strategyScenarios,
  ...strategySegmentScenarios,
  ...rolloutScenarios,
  ...tagScenarios,
  ...variantScenarios,
  ...limitScenarios,
  ...moveScenarios,
];
