import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { dependencyScenarios } from './dependencies.scenarios.ts';

describe('dependency routes', () => {
  const server = useServer();
  for (const scenario of dependencyScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
