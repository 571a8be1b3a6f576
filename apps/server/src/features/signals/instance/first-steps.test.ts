import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { firstStepScenarios } from './first-steps.scenarios.ts';

describe('first steps', () => {
  const server = useServer();
  // The scenarios run one after the other on one server, because each of them adds a step.
  testScenarios(server, firstStepScenarios);
});
