import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { flagScenarios } from './flags.scenarios.ts';

describe('flag routes', () => {
  const server = useServer();
  for (const scenario of flagScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
