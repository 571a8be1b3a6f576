import { expect } from 'vitest';
import { givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import type { Scenario } from '#testing/scenario.ts';

const now = 'GET /api/admin/now';
const leases = 'GET /api/admin/leases';

const firingAlert = {
  truncatedAlerts: 0,
  signalEndpointId: expect.any(Number),
  endpoint: expect.stringMatching(/^endpoint-/),
  fingerprint: 'full',
  title: 'DiskFull',
  signalId: expect.any(Number),
  element: 0,
  link: null,
  since: expect.any(String),
  lastAt: expect.any(String),
};

export const nowScenarios: readonly Scenario[] = [
  {
    route: now,
    name: 'has the holds for everyone who is signed in, and no runs and refusals for a viewer',
    as: 'viewer',
    given: async (server) => {
      await givenHold(server, await givenFlagIn(server, 'development'), { effect: 'off', reason: 'Incident 7' });
      return {};
    },
    answer: {
      automation: { frozen: false, reason: null },
      maintenance: false,
      loop: expect.objectContaining({ stoppedAt: null, halted: null }),
      holds: [{ effect: 'off', reason: 'Incident 7', inForce: true, configuredOn: false, afterRelease: null }],
      undecided: null,
      runs: null,
      refusals: null,
      silent: [],
      blocked: null,
      alertsWithoutEffect: null,
      alertsWithoutEffectTotal: null,
      waitingForMe: [],
      scheduled: [],
      lastHour: expect.arrayContaining([
        expect.objectContaining({ kind: 'event', type: 'feature-lease-placed', environment: 'development' }),
      ]),
    },
  },
  {
    route: now,
    name: 'has the action sets that cannot run, with what their service account lacks',
    given: async (server) => {
      const { actorId: id } = await givenSet(server, { name: 'Without rights' });
      const body = { name: 'robot', username: 'robot', rootRole: 'Viewer' };
      await server.admin.call('PUT /api/admin/service-account/:id', { params: { id }, body });
      return {};
    },
    answer: {
      blocked: expect.arrayContaining([
        {
          actionSetId: expect.any(Number),
          name: 'Without rights',
          project: expect.any(String),
          reason: expect.stringContaining('lacks the permission UPDATE_FEATURE_ENVIRONMENT in development'),
          blockedSince: expect.any(String),
        },
      ]),
    },
  },
  {
    route: now,
    name: 'has the alerts that fire without effect, with the action that decided and why',
    as: 'editor',
    given: async (server) => {
      const [trial, unheard] = [await givenAlertPlace(server), await givenAlertPlace(server)];
      await givenSet(server, holdingAlerts(trial, { set: { name: 'In trial', shadow: true } }), trial);
      for (const place of [trial, unheard]) {
        const alert = { status: 'firing', fingerprint: 'full', labels: { alertname: 'DiskFull' } };
        await signal(server, place, { status: 'firing', alerts: [alert] });
      }
      await server.app.service.alerts.settled();
      return {};
    },
    answer: {
      alertsWithoutEffect: expect.arrayContaining([
        {
          ...firingAlert,
          reason: 'The action In trial is in shadow mode: it records what it would do and changes nothing.',
          project: expect.any(String),
          actionSetId: expect.any(Number),
          runId: expect.any(Number),
        },
        {
          ...firingAlert,
          reason: expect.stringMatching(/^No action listens to endpoint-\d+\.$/),
          project: null,
          actionSetId: null,
          runId: null,
        },
      ]),
      alertsWithoutEffectTotal: expect.any(Number),
    },
  },
  {
    route: leases,
    name: 'lists the holds of all projects',
    as: 'viewer',
    given: async (server) => {
      await givenHold(server, await givenFlagIn(server, 'development'), { effect: 'on' });
      return { query: { limit: 1 } };
    },
    answer: { leases: [{ effect: 'on', afterRelease: null }], total: expect.any(Number) },
  },
];
