import { expect } from 'vitest';
import { givenArchived, givenEnabled, givenFlagIn, givenProject, givenStrategy } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const ofProject = 'GET /api/admin/projects/:projectId/leases' as const;
const ofFlag = 'GET /api/admin/projects/:projectId/features/:featureName/leases' as const;
const place = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases' as const;
const remove =
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId' as const;
const off = { effect: 'off' };
const text = expect.any(String) as unknown as string;

/** Creates a flag that is on in development and held off there. */
async function givenHeld(server: TestServer, body: object = off) {
  const params = await givenEnabled(server);
  const { id } = await givenHold(server, params, body);
  return { params: { ...params, leaseId: String(id) } };
}

const sending =
  (body: object, given = givenEnabled) =>
  async (server: TestServer) => ({ params: await given(server), body });

export const holdScenarios: readonly Scenario[] = [
  {
    route: ofProject,
    name: 'lists the holds of a project with their holders and times',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenHeld(server, { effect: 'rollout', rollout: 5, reason: 'errors' });
      return { params, query: { limit: 1 } };
    },
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
    name: 'answers an empty list for a project without holds',
    given: async (server) => ({ params: { projectId: await givenProject(server) } }),
    answer: { leases: [], total: 0 },
  },
  {
    route: ofFlag,
    name: 'lists the holds on a flag, newest first, and which of them is in force',
    as: 'viewer',
    given: async (server) => {
      const { params } = await givenHeld(server);
      await givenHold(server, params, { effect: 'on', key: 'another' });
      return { params };
    },
    answer: {
      leases: [
        { effect: 'on', inForce: false, heldBy: { key: 'another' } },
        { effect: 'off', inForce: true },
      ],
    },
  },
  {
    route: place,
    name: 'holds a flag off',
    as: 'editor',
    given: sending({ effect: 'off', reason: 'It melts', expiresAt: '2099-01-01T00:00:00+02:00' }),
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
    given: sending({ effect: 'on' }, async (server) => givenStrategy(server)),
    status: 201,
    events: [
      { type: 'feature-lease-placed', data: { effect: 'on' } },
      { type: 'feature-effective-state-changed', preData: { enabled: false }, data: { enabled: true } },
    ],
  },
  {
    route: place,
    name: 'records no change of state when SDKs receive the same state',
    given: sending(off, givenFlagIn),
    status: 201,
    events: [{ type: 'feature-lease-placed', data: { effect: 'off' } }],
  },
  {
    route: place,
    name: 'updates the hold of the same holder',
    given: async (server) => ({ ...(await givenHeld(server)), body: { effect: 'rollout', rollout: 20 } }),
    status: 200,
    events: [
      { type: 'feature-lease-updated', preData: { effect: 'off' }, data: { effect: 'rollout', rollout: 20 } },
      { type: 'feature-effective-state-changed', preData: { enabled: false }, data: { enabled: true } },
    ],
  },
  ...refused(place, 400, {
    'rejects a rollout without a percentage': sending({ effect: 'rollout' }),
    'rejects a percentage with off': sending({ effect: 'off', rollout: 5 }),
    'rejects a fractional percentage': sending({ effect: 'rollout', rollout: 0.5 }),
    'rejects an unknown effect': sending({ effect: 'up' }),
    'rejects an archived flag': async (server) => ({
      params: { ...(await givenArchived(server)), environment: 'development' },
      body: off,
    }),
  }),
  {
    route: remove,
    name: 'restores the configured state',
    as: 'editor',
    given: (server) => givenHeld(server),
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
  ...refused(remove, 404, {
    'answers 404 for a hold in another environment': async (server) => {
      const { params } = await givenHeld(server);
      return { params: { ...params, environment: 'production' } };
    },
  }),
];
