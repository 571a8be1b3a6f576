import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { signalScenarios } from './signals.scenarios.ts';

describe('signal routes', () => testScenarios(useServer({ signalEndpointsLimit: 100 }), signalScenarios));
