import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { serviceAccountScenarios } from './service-accounts.scenarios.ts';

describe('service account routes', () => testScenarios(useServer(), serviceAccountScenarios));
