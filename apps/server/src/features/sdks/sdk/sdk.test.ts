import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { sdkScenarios } from './sdk.scenarios.ts';

describe('SDK routes', () => testScenarios(useServer(), sdkScenarios));
