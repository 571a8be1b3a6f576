import type { Scenario } from '#testing/scenario.ts';
import { draftScenarios } from './draft.scenarios.ts';
import { readingScenarios } from './reading.scenarios.ts';
import { stateScenarios } from './state.scenarios.ts';

export const changeRequestScenarios: readonly Scenario[] = [...draftScenarios, ...stateScenarios, ...readingScenarios];
