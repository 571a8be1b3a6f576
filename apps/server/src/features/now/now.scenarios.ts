import { expect } from 'vitest';
import { givenFlagIn } from '../../../testing/flags.ts';
import { givenHold } from '../../../testing/holds.ts';
import type { Scenario } from '../../../testing/scenario.ts';

const now = 'GET /api/admin/now';
const leases = 'GET /api/admin/leases';

export const nowScenarios: readonly Scenario[] = [
  {
    route: now,
    name: 'has the holds for everyone who is signed in, and no runs and refusals for a viewer',
    as: 'viewer',
    given: async (server) => {
      await givenHold(server, await givenFlagIn(server, 'development'), { effect: 'off', reason: 'Incident 7' });
      return {};
    },
    status: 200,
    answer: {
      automation: { frozen: false, reason: null },
      maintenance: false,
      holds: [{ effect: 'off', reason: 'Incident 7', inForce: true, configuredOn: false, afterRelease: null }],
      runs: null,
      refusals: null,
      silent: [],
      waitingForMe: [],
      scheduled: [],
      lastHour: expect.arrayContaining([
        expect.objectContaining({ kind: 'event', type: 'feature-lease-placed', environment: 'development' }),
      ]),
    },
  },
  { route: now, name: 'answers 401 without a token', as: 'anonymous', status: 401 },
  {
    route: leases,
    name: 'lists the holds of all projects',
    as: 'viewer',
    given: async (server) => {
      await givenHold(server, await givenFlagIn(server, 'development'), { effect: 'on' });
      return { query: { limit: 1 } };
    },
    status: 200,
    answer: { leases: [{ effect: 'on', afterRelease: null }], total: expect.any(Number) },
  },
  { route: leases, name: 'answers 401 without a token', as: 'anonymous', status: 401 },
];
