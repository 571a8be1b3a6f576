import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { flagScenarios } from './flags.scenarios.ts';

describe('flag routes', () => testScenarios(useServer(), flagScenarios));
