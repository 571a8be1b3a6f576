import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { linkScenarios } from './links.scenarios.ts';

describe('link routes', () => testScenarios(useServer(), linkScenarios));
