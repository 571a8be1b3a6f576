import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { interfaceStateScenarios } from './interface-state.scenarios.ts';

describe('the state of the admin UI', () => testScenarios(useServer(), interfaceStateScenarios));
