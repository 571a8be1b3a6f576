import { expect } from 'vitest';
import { givenRunHold } from '../../../testing/actions.ts';
import type { Scenario } from '../../../testing/scenario.ts';

const list = 'GET /api/admin/incidents';
const incidentRoute = 'GET /api/admin/incidents/:incidentId';

export const incidentScenarios: readonly Scenario[] = [
  {
    route: list,
    name: 'lists the incidents of visible projects',
    as: 'viewer',
    given: async (server) => {
      await givenRunHold(server);
      return { query: { limit: 1 } };
    },
    status: 200,
    answer: {
      incidents: [{ openHolds: 1, signals: 1, runs: 1, changes: 2 }],
      total: expect.any(Number),
      truncated: false,
    },
  },
  { route: list, name: 'answers 401 without a token', as: 'anonymous', status: 401 },
  {
    route: list,
    name: 'rejects a malformed time',
    as: 'viewer',
    given: async () => ({ query: { from: 'now' } }),
    status: 400,
  },
  {
    route: incidentRoute,
    name: 'has no runs and no titles for a viewer',
    as: 'viewer',
    given: async (server) => {
      await givenRunHold(server);
      const { incidents } = (await server.admin.call(list)).json;
      return { params: { incidentId: incidents[0].id } };
    },
    status: 200,
    answer: {
      openHolds: 1,
      signals: [{ title: null }],
      runs: null,
      holds: [{ effect: 'off', environment: 'development', end: null }],
      changes: [
        { type: 'feature-lease-placed', byAutomation: true },
        { type: 'feature-effective-state-changed', byAutomation: true },
      ],
      truncated: false,
    },
  },
  {
    route: incidentRoute,
    name: 'answers 401 without a token',
    as: 'anonymous',
    given: async () => ({ params: { incidentId: 1 } }),
    status: 401,
  },
  {
    route: incidentRoute,
    name: 'answers 404 for an event that begins no incident',
    as: 'viewer',
    given: async () => ({ params: { incidentId: 1 } }),
    status: 404,
  },
];
