import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { interfaceStateScenarios } from './interface-state.scenarios.ts';

describe('the state of the admin UI', () => {
  const server = useServer();
  for (const scenario of interfaceStateScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
