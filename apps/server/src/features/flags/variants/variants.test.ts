import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { variantScenarios } from './variants.scenarios.ts';

describe('variant routes', () => testScenarios(useServer(), variantScenarios));
