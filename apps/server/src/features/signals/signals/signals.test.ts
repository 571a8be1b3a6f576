import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { signalScenarios } from './signals.scenarios.ts';

describe('signal routes', () => {
  const server = useServer({ signalEndpointsLimit: 100 });
  for (const scenario of signalScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
