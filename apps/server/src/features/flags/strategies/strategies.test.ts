import { describe, it } from 'vitest';
import { runScenario } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { rolloutScenarios } from './rollout.scenarios.ts';
import { strategySegmentScenarios } from './segment.scenarios.ts';
import { strategyScenarios } from './strategies.scenarios.ts';

describe('strategy routes', () => {
  const server = useServer();
  for (const scenario of [...strategyScenarios, ...strategySegmentScenarios, ...rolloutScenarios]) {
    it(`${scenario.route} ${scenario.name}`, () => runScenario(server(), scenario));
  }
});
