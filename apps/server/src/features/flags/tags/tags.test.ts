import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { tagScenarios } from './tags.scenarios.ts';

describe('tag routes', () => {
  const server = useServer();
  for (const scenario of tagScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
