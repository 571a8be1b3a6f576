import { type RouteKey, type RouteSpec, type Routes, routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../apps/server/testing/client.ts';
import { freshName, givenFlag } from '../../apps/server/testing/flags.ts';
import { printed } from '../../apps/server/testing/json-schema.ts';
import { eventsAfter, lastEventId } from '../../apps/server/testing/scenario.ts';
import { type TestServer, useServer } from '../../apps/server/testing/server.ts';
import { givenEndpoint, givenToken as givenSignalToken } from '../../apps/server/testing/signals.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';

const ends = ['expiresAt', 'endsAt', 'enabledUntil', 'scheduledAt'];
const past = '2020-01-01T00:00:00.000Z';

/** A request that would succeed with another end, by the route that takes an end. */
type Given = (server: TestServer) => Promise<Call> | Call;

const inFlag = async (server: TestServer) => ({
  projectId: 'default',
  featureName: (await givenFlag(server)).featureName,
  environment: 'development',
});
const account = async (server: TestServer) =>
  (
    await server.admin.call('POST /api/admin/service-account', {
      body: { username: freshName('robot'), name: 'Robot', rootRole: 2 },
    })
  ).json.id;

const calls: Partial<Readonly<Record<keyof Routes, Given>>> = {
  'POST /api/admin/api-tokens': () => ({ body: { tokenName: freshName('t'), type: 'backend', expiresAt: past } }),
  'PUT /api/admin/api-tokens/:token': async (server) => ({
    params: { token: (await givenToken(server)).id },
    body: { expiresAt: past },
  }),
  'POST /api/admin/projects/:projectId/api-tokens': () => ({
    params: { projectId: 'default' },
    body: { tokenName: freshName('t'), type: 'backend', expiresAt: past },
  }),
  'POST /api/admin/service-account/:id/token': async (server) => ({
    params: { id: await account(server) },
    body: { description: freshName('t'), expiresAt: past },
  }),
  'POST /api/admin/invite-link/tokens': () => ({ body: { name: freshName('link'), expiresAt: past } }),
  'PUT /api/admin/invite-link/tokens/:token': async (server) => {
    const body = { name: freshName('link'), expiresAt: '2099-01-01T00:00:00.000Z' };
    const { json } = await server.admin.call('POST /api/admin/invite-link/tokens', { body });
    return { params: { token: json.secret }, body: { expiresAt: past } };
  },
  'POST /api/admin/signal-endpoints': () => ({ body: { name: freshName('endpoint'), enabledUntil: past } }),
  'PUT /api/admin/signal-endpoints/:id': async (server) => {
    const { id, name } = await givenEndpoint(server);
    return { params: { id }, body: { name, enabledUntil: past } };
  },
  'POST /api/admin/signal-endpoints/:signalEndpointId/tokens': async (server) => ({
    params: { signalEndpointId: (await givenEndpoint(server)).id },
    body: { name: freshName('sender'), enabledUntil: past },
  }),
  'PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': async (server) => {
    const endpoint = await givenEndpoint(server);
    const { id } = await givenSignalToken(server, endpoint.id, 'sender');
    return { params: { signalEndpointId: endpoint.id, id }, body: { name: 'sender', enabledUntil: past } };
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases': async (server) => ({
    params: await inFlag(server),
    body: { effect: 'off', expiresAt: past },
  }),
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override': async (
    server,
  ) => ({ params: await inFlag(server), body: { reason: 'x', endsAt: past } }),
};

/** Tested by scenarios: the first needs the session of a user, the second a change request. */
const testedElsewhere: readonly (keyof Routes)[] = [
  'POST /api/admin/user/tokens',
  'PUT /api/admin/projects/:projectId/change-requests/:id/state',
];

describe('an end that has passed', () => {
  const server = useServer();

  it('has a test for every route that takes an end', () => {
    const taking = (Object.entries(routes) as [RouteKey, RouteSpec][])
      .filter(([, { body }]) => {
        if (body === undefined) return false;
        const { properties = {} } = printed(body);
        return Object.keys(properties).some((name) => ends.includes(name));
      })
      .map(([key]) => key);
    expect([...Object.keys(calls), ...testedElsewhere].sort()).toEqual(taking.sort());
  });

  it.each(Object.keys(calls) as (keyof typeof calls)[])('is refused by %s with its name', async (key) => {
    const call = await (calls[key] as Given)(server());
    const before = await lastEventId(server());
    const reply = await server().admin.call(key, call);
    expect([reply.status, ends.includes(reply.json.details?.[0]?.path)], reply.text).toEqual([400, true]);
    expect(reply.text).toContain('must be in the future');
    expect(await eventsAfter(server(), before)).toEqual([]);
  });

  it('that is sent again with other changes is kept', async () => {
    const endpoint = await givenEndpoint(server());
    const enabledUntil = new Date(server().clock.now() + 1000).toISOString();
    const change = (body: object) =>
      server().admin.call('PUT /api/admin/signal-endpoints/:id', {
        params: { id: endpoint.id },
        body: { name: endpoint.name, enabledUntil, ...body },
      });
    expect((await change({})).status).toBe(200);
    server().clock.advance(1000);
    expect((await change({ description: 'over' })).status).toBe(200);
  });
});
