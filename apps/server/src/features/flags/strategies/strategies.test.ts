import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { rolloutScenarios } from './rollout.scenarios.ts';
import { strategySegmentScenarios } from './segment.scenarios.ts';
import { strategyScenarios } from './strategies.scenarios.ts';

describe('strategy routes', () =>
  testScenarios(useServer(), [...strategyScenarios, ...strategySegmentScenarios, ...rolloutScenarios]));
