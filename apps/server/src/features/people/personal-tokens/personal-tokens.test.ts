import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { personalTokenScenarios } from './personal-tokens.scenarios.ts';

describe('personal token routes', () => testScenarios(useServer(), personalTokenScenarios));
