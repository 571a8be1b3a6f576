import type { Scenario } from '../../../testing/scenario.ts';
import { askingScenarios } from './asking.scenarios.ts';
import { readingScenarios } from './reading.scenarios.ts';
import { stateScenarios } from './state.scenarios.ts';

export const changeRequestScenarios: readonly Scenario[] = [...askingScenarios, ...stateScenarios, ...readingScenarios];
