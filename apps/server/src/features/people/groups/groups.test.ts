import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { groupScenarios } from './groups.scenarios.ts';

describe('groups routes', () => testScenarios(useServer(), groupScenarios));
