import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { personalTokenScenarios } from './personal-tokens.scenarios.ts';

describe('personal token routes', () => {
  const server = useServer();
  for (const scenario of personalTokenScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
