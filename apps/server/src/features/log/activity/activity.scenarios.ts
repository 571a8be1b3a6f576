import { expect } from 'vitest';
import type { Scenario } from '#testing/scenario.ts';

const route = 'GET /api/admin/activity';

export const activityScenarios: readonly Scenario[] = [
  {
    route,
    name: 'begins with all numbers',
    as: 'viewer',
    check: ({ text }) => expect(text).toMatch(/^data: \{"epoch":"[0-9a-f]+","events":\d+,"changeRequests":\d+,/),
  },
];
