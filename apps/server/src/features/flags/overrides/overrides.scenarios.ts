import { expect } from 'vitest';
import { givenRunHold, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenArchived, givenFlagIn } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { override } from '#testing/stops.ts';

const list = 'GET /api/admin/automation-overrides';
const place = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
const end = 'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';

const later = '2099-01-01T00:00:00.000Z';
const reason = 'We look at it by hand';
const fresh = async (server: TestServer) => ({ params: await givenFlagIn(server, 'development'), body: { reason } });
const overridden = async (server: TestServer) => {
  const call = await fresh(server);
  await server.admin.call(place, call);
  return call;
};

export const overrideScenarios: readonly Scenario[] = [
  {
    route: place,
    name: 'keeps automation off a flag, until it is ended',
    given: fresh,
    answer: { reason, endsAt: null, environment: 'development', placedBy: { name: 'admin' } },
    events: [{ type: 'feature-override-placed', environment: 'development', data: { reason, endsAt: null } }],
  },
  {
    route: place,
    name: 'releases the hold of an action, and the flag is served as configured again',
    given: async (server) => ({ params: await givenRunHold(server), body: { reason } }),
    events: [
      { type: 'feature-override-placed' },
      { type: 'feature-lease-released' },
      { type: 'feature-effective-state-changed' },
    ],
  },
  {
    route: place,
    name: 'keeps the hold of an action when it is asked to',
    given: async (server) => ({ params: await givenRunHold(server), body: { reason, holds: 'keep' } }),
    events: [{ type: 'feature-override-placed' }],
  },
  {
    route: place,
    name: 'replaces the reason and the end of an earlier override',
    given: async (server) => ({ ...(await overridden(server)), body: { reason: 'Longer', endsAt: later } }),
    answer: { reason: 'Longer', endsAt: later },
    events: [{ type: 'feature-override-updated', preData: { reason }, data: { reason: 'Longer', endsAt: later } }],
  },
  ...refused(place, 400, {
    'refuses an archived flag': async (server) => ({
      params: { ...(await givenArchived(server)), environment: 'development' },
      body: { reason },
    }),
  }),
  {
    route: end,
    name: 'ends an override',
    given: overridden,
    events: [{ type: 'feature-override-ended', preData: { reason } }],
  },
  {
    route: end,
    name: 'tells that an alert which would hold the flag still fires',
    given: async (server) => {
      const actions = await givenAlertPlace(server);
      await givenSet(server, holdingAlerts(actions), actions);
      await signal(server, actions, { alerts: [{ status: 'firing', fingerprint: 'a' }] });
      await server.app.service.alerts.settled();
      await override(server, actions.flag, { holds: 'release' });
      return { params: actions.flag };
    },
    events: [{ type: 'feature-override-ended' }, { type: 'feature-override-outlasted', data: { total: 1 } }],
  },
  { route: end, name: 'answers 404 when there is none', given: fresh, status: 404 },
  {
    route: list,
    name: 'lists the overrides to everyone who is signed in',
    as: 'viewer',
    given: async (server) => {
      await overridden(server);
      return {};
    },
    check: ({ json }) => expect(json.overrides[0]).toMatchObject({ reason, environment: 'development' }),
  },
];
