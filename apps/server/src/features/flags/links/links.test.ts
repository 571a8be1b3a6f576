import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { linkScenarios } from './links.scenarios.ts';

describe('link routes', () => {
  const server = useServer();
  for (const scenario of linkScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
