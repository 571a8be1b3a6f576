import { expect } from 'vitest';
import type { Call } from '../../../testing/client.ts';
import { givenUser, logIn } from '../../../testing/people.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

/** Somebody who has logged in twice: what each login bears, and the ids of both sessions, newest first. */
async function givenTwoSessions(server: TestServer) {
  const user = await givenUser(server);
  const first = await logIn(server.nobody, user);
  const headers = await logIn(server.nobody, user);
  const { json } = await server.nobody.call('GET /api/admin/user/sessions', { headers });
  return { user, first, headers, ids: json.sessions.map(({ id }: { id: number }) => id) as number[] };
}

const asPerson = async (server: TestServer): Promise<Call> => ({ headers: (await givenTwoSessions(server)).headers });
const ofPerson = async (server: TestServer): Promise<Call> => ({
  params: { id: (await givenTwoSessions(server)).user.id },
});
const ofNobody = { params: { id: 999_999 } };

/** What there is to say of a session of somebody who logs in from a test. */
function told(current: boolean) {
  const times = { createdAt: expect.any(String), seenAt: expect.any(String), expiresAt: expect.any(String) };
  return { id: expect.any(Number), device: 'node', address: '127.0.0.1', ...times, current };
}

const ownScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user/sessions',
    name: 'lists mine, newest first, what they were begun with and from where, and tells which one asks',
    as: 'nobody',
    given: asPerson,
    status: 200,
    check: ({ json }) => expect(json.sessions).toEqual([told(true), told(false)]),
  },
  { route: 'GET /api/admin/user/sessions', name: 'is not for a service account', as: 'viewer', status: 403 },
  {
    route: 'DELETE /api/admin/user/sessions',
    name: 'ends all mine but the one that asks',
    as: 'nobody',
    given: asPerson,
    status: 200,
    events: [],
  },
  { route: 'DELETE /api/admin/user/sessions', name: 'is not for a service account', as: 'viewer', status: 403 },
  {
    route: 'DELETE /api/admin/user/sessions/:id',
    name: 'ends a session that was left open elsewhere',
    as: 'nobody',
    given: async (server) => {
      const { headers, ids } = await givenTwoSessions(server);
      return { headers, params: { id: ids[1] as number } };
    },
    status: 200,
    events: [],
  },
  {
    route: 'DELETE /api/admin/user/sessions/:id',
    name: 'does not know the session of somebody else',
    as: 'nobody',
    given: async (server) => {
      const other = await givenTwoSessions(server);
      return { ...(await asPerson(server)), params: { id: other.ids[0] as number } };
    },
    status: 404,
    answer: { name: 'NotFoundError' },
  },
  {
    route: 'DELETE /api/admin/user/sessions/:id',
    name: 'is not for a service account',
    as: 'viewer',
    call: { params: { id: 1 } },
    status: 403,
  },
];

const administratorScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user-admin/:id/sessions',
    name: 'lists those of a user',
    given: ofPerson,
    status: 200,
    check: ({ json }) => expect(json.sessions).toEqual([told(false), told(false)]),
  },
  { route: 'GET /api/admin/user-admin/:id/sessions', name: 'does not know nobody', call: ofNobody, status: 404 },
  {
    route: 'GET /api/admin/user-admin/:id/sessions',
    name: 'is for administrators',
    as: 'editor',
    given: ofPerson,
    status: 403,
  },
  {
    route: 'DELETE /api/admin/user-admin/:id/sessions',
    name: 'ends all those of a user',
    given: ofPerson,
    status: 200,
    events: [],
  },
  { route: 'DELETE /api/admin/user-admin/:id/sessions', name: 'does not know nobody', call: ofNobody, status: 404 },
  {
    route: 'DELETE /api/admin/user-admin/:id/sessions/:sessionId',
    name: 'ends one of a user',
    given: async (server) => {
      const { user, ids } = await givenTwoSessions(server);
      return { params: { id: user.id, sessionId: ids[1] as number } };
    },
    status: 200,
    events: [],
  },
  {
    route: 'DELETE /api/admin/user-admin/:id/sessions/:sessionId',
    name: 'does not know the session of another user',
    given: async (server) => {
      const [{ user }, { ids }] = [await givenTwoSessions(server), await givenTwoSessions(server)];
      return { params: { id: user.id, sessionId: ids[0] as number } };
    },
    status: 404,
    answer: { name: 'NotFoundError' },
  },
];

export const sessionScenarios: readonly Scenario[] = [...ownScenarios, ...administratorScenarios];
