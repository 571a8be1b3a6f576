import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { firstStepScenarios } from './first-steps.scenarios.ts';

describe('first steps', () => {
  const server = useServer();
  // The scenarios run one after the other on one server, because each of them adds a step.
  for (const scenario of firstStepScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
