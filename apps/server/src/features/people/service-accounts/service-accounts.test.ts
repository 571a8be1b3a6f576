import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { serviceAccountScenarios } from './service-accounts.scenarios.ts';

describe('service account routes', () => {
  const server = useServer();
  for (const scenario of serviceAccountScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
