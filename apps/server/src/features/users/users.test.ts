import { describe, it } from 'vitest';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { userScenarios } from './scenarios.ts';

describe('user routes', () => {
  const server = useServer();
  for (const scenario of userScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
