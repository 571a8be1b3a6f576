import { describe, it } from 'vitest';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { changeRequestScenarios } from './scenarios.ts';

describe('change request routes', () => {
  const server = useServer();
  for (const scenario of changeRequestScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
