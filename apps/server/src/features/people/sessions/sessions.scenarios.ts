import { expect } from 'vitest';
import { firstOf, itemAt } from '#kernel/lists.ts';
import type { Call } from '#testing/client.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

/** Creates a user with two sessions and returns the headers of both logins and the session ids, newest first. */
async function givenTwoSessions(server: TestServer) {
  const user = await givenUser(server);
  const first = await logIn(server.anonymous, user);
  const headers = await logIn(server.anonymous, user);
  const { json } = await server.anonymous.call('GET /api/admin/user/sessions', { headers });
  return { user, first, headers, ids: json.sessions.map(({ id }: { id: number }) => id) as number[] };
}

const asUser = async (server: TestServer): Promise<Call> => ({ headers: (await givenTwoSessions(server)).headers });
const ofUser = async (server: TestServer): Promise<Call> => ({
  params: { id: (await givenTwoSessions(server)).user.id },
});

/** Returns the expected answer for a session that a test began. */
function expectedSession(current: boolean) {
  const times = { createdAt: expect.any(String), seenAt: expect.any(String), expiresAt: expect.any(String) };
  return { id: expect.any(Number), device: 'node', address: '127.0.0.1', ...times, current };
}

const ownScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user/sessions',
    name: 'lists the sessions of the caller, newest first, and marks the current one',
    as: 'anonymous',
    given: asUser,
    check: ({ json }) => expect(json.sessions).toEqual([expectedSession(true), expectedSession(false)]),
  },
  { route: 'GET /api/admin/user/sessions', name: 'answers 403 to a service account', as: 'viewer', status: 403 },
  {
    route: 'DELETE /api/admin/user/sessions',
    name: 'ends all sessions of the caller except the current one',
    as: 'anonymous',
    given: asUser,
    events: [{ type: 'session-ended', data: { reason: 'ended by the user' } }],
  },
  { route: 'DELETE /api/admin/user/sessions', name: 'answers 403 to a service account', as: 'viewer', status: 403 },
  {
    route: 'DELETE /api/admin/user/sessions/:id',
    name: 'ends another session of the caller',
    as: 'anonymous',
    given: async (server) => {
      const { headers, ids } = await givenTwoSessions(server);
      return { headers, params: { id: itemAt(ids, 1) } };
    },
    events: [{ type: 'session-ended', data: { reason: 'ended by the user' } }],
  },
  ...refusedTo('anonymous', 'DELETE /api/admin/user/sessions/:id', 404, {
    'answers 404 for the session of another user': async (server) => {
      const other = await givenTwoSessions(server);
      return { ...(await asUser(server)), params: { id: firstOf(other.ids) } };
    },
  }),
  ...refusedTo('viewer', 'DELETE /api/admin/user/sessions/:id', 403, {
    'answers 403 to a service account': { params: { id: 1 } },
  }),
];

const administratorScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user-admin/:id/sessions',
    name: 'lists the sessions of a user',
    given: ofUser,
    check: ({ json }) => expect(json.sessions).toEqual([expectedSession(false), expectedSession(false)]),
  },
  {
    route: 'DELETE /api/admin/user-admin/:id/sessions',
    name: 'ends all sessions of a user',
    given: ofUser,
    events: [{ type: 'session-ended', data: { reason: 'ended by an administrator' } }],
  },
  {
    route: 'DELETE /api/admin/user-admin/:id/sessions/:sessionId',
    name: 'ends one session of a user',
    given: async (server) => {
      const { user, ids } = await givenTwoSessions(server);
      return { params: { id: user.id, sessionId: itemAt(ids, 1) } };
    },
    events: [{ type: 'session-ended', data: { reason: 'ended by an administrator' } }],
  },
  ...refused('DELETE /api/admin/user-admin/:id/sessions/:sessionId', 404, {
    'answers 404 for the session of another user': async (server) => {
      const [{ user }, { ids }] = [await givenTwoSessions(server), await givenTwoSessions(server)];
      return { params: { id: user.id, sessionId: firstOf(ids) } };
    },
  }),
];

export const sessionScenarios: readonly Scenario[] = [...ownScenarios, ...administratorScenarios];
