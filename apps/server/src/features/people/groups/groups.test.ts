import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { groupScenarios } from './groups.scenarios.ts';

describe('groups routes', () => {
  const server = useServer();
  for (const scenario of groupScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
