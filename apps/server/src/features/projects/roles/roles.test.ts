import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { roleScenarios } from './roles.scenarios.ts';

describe('roles routes', () => testScenarios(useServer(), roleScenarios));
