import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { variantScenarios } from './variants.scenarios.ts';

describe('variant routes', () => {
  const server = useServer();
  for (const scenario of variantScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
