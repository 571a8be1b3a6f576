import { expect } from 'vitest';
import { givenArchived, givenEnabled, givenFlagIn, givenProject, givenStrategy } from '../../../testing/flags.ts';
import { givenLease } from '../../../testing/holds.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

const ofProject = 'GET /api/admin/projects/:projectId/leases' as const;
const ofFlag = 'GET /api/admin/projects/:projectId/features/:featureName/leases' as const;
const place = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases' as const;
const remove =
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId' as const;

const nowhere = { projectId: 'default', featureName: 'nowhere', environment: 'development', leaseId: 1 };
const off = { effect: 'off' };
const text = expect.any(String) as unknown as string;

/** A flag that is on in development, and held off there. */
async function givenHeld(server: TestServer, body: object = off) {
  const params = await givenEnabled(server);
  const { id } = await givenLease(server, params, body);
  return { params: { ...params, leaseId: String(id) } };
}

const asking = (body: object, given = givenEnabled) => ({
  given: async (server: TestServer) => ({ params: await given(server), body }),
});

const refused = (name: string, body: object, path: string): Scenario => ({
  route: place,
  name,
  ...asking(body),
  status: 400,
  answer: { details: [{ path }] },
});

export const leaseScenarios: readonly Scenario[] = [
  {
    route: ofProject,
    name: 'tells which flags are held, by whom and since when',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenHeld(server, { effect: 'rollout', rollout: 5, reason: 'errors' });
      return { params, query: { limit: 1 } };
    },
    status: 200,
    answer: {
      leases: [
        {
          effect: 'rollout',
          rollout: 5,
          reason: 'errors',
          heldBy: { kind: 'person', runId: null, name: text },
          placedAt: text,
          expiresAt: null,
          project: 'default',
          environment: 'development',
          inForce: true,
        },
      ],
    },
    check: ({ json }) => expect(json.total).toBeGreaterThan(0),
  },
  {
    route: ofProject,
    name: 'is empty where nothing is held',
    given: async (server) => ({ params: { projectId: await givenProject(server) } }),
    status: 200,
    answer: { leases: [], total: 0 },
  },
  { route: ofProject, name: 'does not know the project', call: { params: { projectId: 'nowhere' } }, status: 404 },
  {
    route: ofFlag,
    name: 'tells what holds it, the newest first, and which is in force',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenHeld(server);
      await givenLease(server, params, { effect: 'on', key: 'another' });
      return { params };
    },
    status: 200,
    answer: {
      leases: [
        { effect: 'on', inForce: false, heldBy: { key: 'another' } },
        { effect: 'off', inForce: true },
      ],
    },
  },
  { route: ofFlag, name: 'does not know the flag', call: { params: nowhere }, status: 404 },
  {
    route: place,
    name: 'holds a flag off',
    as: 'editor',
    ...asking({ effect: 'off', reason: 'It melts', expiresAt: '2099-01-01T00:00:00+02:00' }),
    status: 201,
    answer: { effect: 'off', expiresAt: '2098-12-31T22:00:00.000Z', inForce: true },
    events: [
      {
        type: 'feature-lease-placed',
        environment: 'development',
        preData: null,
        data: { effect: 'off', rollout: null, reason: 'It melts', expiresAt: '2098-12-31T22:00:00.000Z' },
      },
      {
        type: 'feature-effective-state-changed',
        environment: 'development',
        preData: { enabled: true, lease: null },
        data: { enabled: false, lease: { effect: 'off' } },
      },
    ],
  },
  {
    route: place,
    name: 'holds a flag on',
    ...asking({ effect: 'on' }, async (server) => givenStrategy(server)),
    status: 201,
    events: [
      { type: 'feature-lease-placed', data: { effect: 'on' } },
      { type: 'feature-effective-state-changed', preData: { enabled: false }, data: { enabled: true } },
    ],
  },
  {
    route: place,
    name: 'that changes nothing for SDKs says so',
    ...asking(off, givenFlagIn),
    status: 201,
    events: [{ type: 'feature-lease-placed', data: { effect: 'off' } }],
  },
  {
    route: place,
    name: 'by the same holder changes the lease',
    given: async (server) => ({ ...(await givenHeld(server)), body: { effect: 'rollout', rollout: 20 } }),
    status: 200,
    events: [
      { type: 'feature-lease-updated', preData: { effect: 'off' }, data: { effect: 'rollout', rollout: 20 } },
      { type: 'feature-effective-state-changed', preData: { enabled: false }, data: { enabled: true } },
    ],
  },
  {
    route: place,
    name: 'by the same holder once more records nothing',
    given: async (server) => ({ ...(await givenHeld(server)), body: off }),
    status: 200,
  },
  refused('needs to know the percentage', { effect: 'rollout' }, 'rollout'),
  refused('takes no percentage with off', { effect: 'off', rollout: 5 }, 'rollout'),
  refused('takes whole percentages', { effect: 'rollout', rollout: 0.5 }, 'rollout'),
  refused('takes percentages up to 100', { effect: 'rollout', rollout: 101 }, 'rollout'),
  refused('does not know the effect', { effect: 'up' }, 'effect'),
  refused('takes no time that has passed', { effect: 'off', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'),
  refused('takes no empty key', { effect: 'off', key: ' ' }, 'key'),
  refused('takes no empty reason', { effect: 'off', reason: ' ' }, 'reason'),
  {
    route: place,
    name: 'does not hold archived flags',
    given: async (server) => ({
      params: { ...(await givenArchived(server)), environment: 'development' },
      body: off,
    }),
    status: 400,
    answer: { name: 'ArchivedFeatureError' },
  },
  { route: place, name: 'does not know the flag', call: { params: nowhere, body: off }, status: 404 },
  {
    route: place,
    name: 'does not know the environment',
    ...asking(off, async (server) => ({ ...(await givenFlagIn(server)), environment: 'nowhere' })),
    status: 404,
  },
  { route: place, name: 'needs the permission', as: 'viewer', ...asking(off), status: 403 },
  {
    route: remove,
    name: 'brings the configured state back',
    as: 'editor',
    given: (server) => givenHeld(server),
    status: 200,
    events: [
      { type: 'feature-lease-released', environment: 'development', preData: { effect: 'off' }, data: null },
      {
        type: 'feature-effective-state-changed',
        environment: 'development',
        preData: { enabled: false, lease: { effect: 'off' } },
        data: { enabled: true, lease: null },
      },
    ],
  },
  { route: remove, name: 'does not know the flag', call: { params: nowhere }, status: 404 },
  {
    route: remove,
    name: 'does not know a lease of another environment',
    given: async (server) => {
      const { params } = await givenHeld(server);
      return { params: { ...params, environment: 'production' } };
    },
    status: 404,
  },
  { route: remove, name: 'needs the permission', as: 'viewer', given: (server) => givenHeld(server), status: 403 },
];
