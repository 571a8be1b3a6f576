import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { dependencyScenarios } from './dependencies.scenarios.ts';

describe('dependency routes', () => testScenarios(useServer(), dependencyScenarios));
