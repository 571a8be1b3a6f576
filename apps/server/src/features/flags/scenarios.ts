import type { Scenario } from '../../../testing/scenario.ts';
import { archiveScenarios } from './archive-scenarios.ts';
import { dependencyScenarios } from './dependency-scenarios.ts';
import { featureScenarios } from './feature-scenarios.ts';
import { typeScenarios } from './feature-type-scenarios.ts';
import { linkScenarios } from './link-scenarios.ts';
import { moveScenarios } from './move-scenarios.ts';
import { strategySegmentScenarios } from './segment-scenarios.ts';
import { stateScenarios } from './state-scenarios.ts';
import { strategyScenarios } from './strategy-scenarios.ts';
import { tagScenarios } from './tag-scenarios.ts';
import { variantScenarios } from './variant-scenarios.ts';

export const flagScenarios: readonly Scenario[] = [
  ...featureScenarios,
  ...archiveScenarios,
  ...dependencyScenarios,
  ...linkScenarios,
  ...typeScenarios,
  ...stateScenarios,
  ...strategyScenarios,
  ...strategySegmentScenarios,
  ...tagScenarios,
  ...variantScenarios,
  ...moveScenarios,
];
