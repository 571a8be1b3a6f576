import { expect } from 'vitest';
import { givenEnabled } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

const number = expect.any(Number);

export const instanceScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/ui-config',
    name: 'returns the configured limits',
    answer: {
      name: 'Yardarm',
      authenticationType: 'open-source',
      maintenanceMode: false,
      resourceLimits: { signalEndpoints: 5, featureFlags: 5000 },
      versionInfo: { instanceId: expect.stringMatching(/^[0-9a-f]{32}$/) },
    },
  },
  {
    route: 'GET /api/admin/instance-admin/statistics',
    name: 'counts users, flags and projects',
    given: async (server) => {
      await givenEnabled(server);
      return {};
    },
    answer: { featureToggles: number, strategies: number, projects: 1, environments: 2, apiTokens: { admin: 1 } },
  },
  {
    route: 'GET /api/admin/instance-admin/statistics/csv',
    name: 'returns a line of names and a line of values',
    check: (reply) => {
      expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(reply.text).toMatch(/^"instanceId","timestamp",.*\r\n"[0-9a-f]{32}",.*\r\n$/);
    },
  },
];
