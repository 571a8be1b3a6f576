import { describe, it } from 'vitest';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { firstStepScenarios } from './first-steps.scenarios.ts';

describe('first steps', () => {
  const server = useServer();
  // One after the other on one server: each scenario adds a step.
  for (const scenario of firstStepScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
