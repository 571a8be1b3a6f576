import { expect } from 'vitest';
import { type ActionPlace, givenRun, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const holdNow = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/hold-now';
const drop = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/drop';
const reason = 'It still fires';

const freeze = (server: TestServer, frozen: boolean) =>
  server.admin.call('POST /api/admin/automation', { body: { frozen } });
const fire = (server: TestServer, place: ActionPlace) =>
  signal(server, place, { alerts: [{ status: 'firing', fingerprint: 'a' }] });

/** Creates a set that holds a flag off, and a run of it that waits for a person since a freeze. */
async function undecided(server: TestServer) {
  const place = await givenAlertPlace(server);
  const set = await givenSet(server, holdingAlerts(place), place);
  await freeze(server, true);
  await fire(server, place);
  await freeze(server, false);
  const [{ id: runId }] = await runsOf(server, set);
  return { place, params: { projectId: set.projectId, actionSetId: set.id, runId: runId as number } };
}

const given = async (server: TestServer) => ({ params: (await undecided(server)).params, body: { reason } });
const decided = async (server: TestServer) => {
  await freeze(server, false);
  return { params: (await givenRun(server)).params, body: { reason } };
};

/** Scenarios of runs that wait for a person. */
export const undecidedScenarios: readonly Scenario[] = [
  {
    route: holdNow,
    name: 'holds the flag as the service account, and records who decided and why',
    given,
    answer: { state: 'success', trigger: 'signal', decideBy: null },
    events: [
      { type: 'action-run-approved', data: { reason, runId: expect.any(Number) } },
      { type: 'feature-lease-placed' },
      { type: 'feature-effective-state-changed' },
    ],
  },
  {
    route: holdNow,
    name: 'skips the run when its set was switched off meanwhile',
    given: async (server) => {
      const { params } = await undecided(server);
      const off = 'POST /api/admin/projects/:projectId/actions/:id/off';
      await server.admin.call(off, { params: { projectId: params.projectId, id: params.actionSetId } });
      return { params, body: { reason } };
    },
    answer: { state: 'skipped', reason: 'The set of actions was switched off while this run waited.' },
    events: [{ type: 'action-run-approved' }],
  },
  ...refused(holdNow, 409, {
    'answers 409 while automation is frozen': async (server) => {
      const call = await given(server);
      await freeze(server, true);
      return call;
    },
    'answers 409 for a run that waits for no person': decided,
  }),
  {
    route: drop,
    name: 'drops the run, and records who decided and why',
    given,
    answer: { state: 'skipped', reason: `Dropped by admin: ${reason}`, decideBy: null },
    events: [{ type: 'action-run-dropped', data: { reason } }],
  },
  { route: drop, name: 'answers 409 for a run that waits for no person', given: decided, status: 409 },
];
