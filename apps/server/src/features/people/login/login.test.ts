import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { loginScenarios } from './login.scenarios.ts';

describe('login routes', () => testScenarios(useServer(), loginScenarios));
