import { describe } from 'vitest';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { bannerScenarios } from './banners.scenarios.ts';

describe('banners', () => testScenarios(useServer(), bannerScenarios));
