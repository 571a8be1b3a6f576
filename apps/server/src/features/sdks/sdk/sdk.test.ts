import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { sdkScenarios } from './sdk.scenarios.ts';

describe('SDK routes', () => {
  const server = useServer();
  for (const scenario of sdkScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
