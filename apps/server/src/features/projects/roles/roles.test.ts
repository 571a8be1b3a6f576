import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { roleScenarios } from './roles.scenarios.ts';

describe('roles routes', () => {
  const server = useServer();
  for (const scenario of roleScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
