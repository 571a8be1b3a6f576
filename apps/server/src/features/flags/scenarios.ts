import type { Scenario } from '../../../testing/scenario.ts';
import { defaultStrategyScenarios } from './default-strategies/scenarios.ts';
import { dependencyScenarios } from './dependencies/scenarios.ts';
import { archiveScenarios } from './editing/archive-scenarios.ts';
import { limitScenarios } from './editing/limit-scenarios.ts';
import { moveScenarios } from './editing/move-scenarios.ts';
import { featureScenarios } from './editing/scenarios.ts';
import { lifecycleScenarios } from './lifecycle/scenarios.ts';
import { linkScenarios } from './links/scenarios.ts';
import { strategyScenarios } from './strategies/scenarios.ts';
import { strategySegmentScenarios } from './strategies/segment-scenarios.ts';
import { tagScenarios } from './tags/scenarios.ts';
import { stateScenarios } from './toggling/scenarios.ts';
import { typeScenarios } from './types/scenarios.ts';
import { variantScenarios } from './variants/scenarios.ts';

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
  ...tagScenarios,
  ...variantScenarios,
  ...limitScenarios,
  ...moveScenarios,
];
