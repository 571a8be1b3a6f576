import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { bannerScenarios } from './banners.scenarios.ts';

describe('banners', () => {
  const server = useServer();
  for (const scenario of bannerScenarios) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
