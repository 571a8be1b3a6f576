import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { actionScenarios } from './actions.scenarios.ts';
import { callScenarios } from './calls.scenarios.ts';

describe('actions', () =>
  testScenarios(useServer({ signalEndpointsLimit: 1000 }), [...actionScenarios, ...callScenarios]));
