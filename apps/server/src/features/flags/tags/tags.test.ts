import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { tagScenarios } from './tags.scenarios.ts';

describe('tag routes', () => testScenarios(useServer(), tagScenarios));
