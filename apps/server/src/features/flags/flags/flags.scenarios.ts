import type { Scenario } from '#testing/scenario.ts';
import { archiveScenarios } from './editing/archive.scenarios.ts';
import { featureScenarios } from './editing/editing.scenarios.ts';
import { limitScenarios } from './editing/limit.scenarios.ts';
import { moveScenarios } from './editing/move.scenarios.ts';
import { tagScenarios } from './flag-tags/flag-tags.scenarios.ts';
import { typeScenarios } from './flag-types/flag-types.scenarios.ts';
import { stateScenarios } from './toggling/toggling.scenarios.ts';

export const flagScenarios: readonly Scenario[] = [
  ...featureScenarios,
  ...archiveScenarios,
  ...typeScenarios,
  ...stateScenarios,
  ...tagScenarios,
  ...limitScenarios,
  ...moveScenarios,
];
