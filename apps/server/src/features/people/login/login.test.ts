import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { loginScenarios } from './login.scenarios.ts';

describe('login routes', () => {
  const server = useServer();
  for (const scenario of loginScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
