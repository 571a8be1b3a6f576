import { expect } from 'vitest';
import type { Call } from '../../../testing/client.ts';
import { givenUser, logIn } from '../../../testing/people.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

/** Somebody who has logged in twice: what the second login bears, and the ids of both sessions, newest first. */
async function givenTwoSessions(server: TestServer) {
  const user = await givenUser(server);
  const first = await logIn(server.nobody, user);
  const headers = await logIn(server.nobody, user);
  const { json } = await server.nobody.call('GET /api/admin/user/sessions', { headers });
  return { first, headers, ids: json.sessions.map(({ id }: { id: number }) => id) as number[] };
}

const asPerson = async (server: TestServer): Promise<Call> => ({ headers: (await givenTwoSessions(server)).headers });

export const sessionScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user/sessions',
    name: 'lists mine, newest first, and tells which one asks',
    as: 'nobody',
    given: asPerson,
    status: 200,
    check: ({ json }) => {
      const times = { createdAt: expect.any(String), expiresAt: expect.any(String) };
      expect(json.sessions).toEqual([
        { id: expect.any(Number), ...times, current: true },
        { id: expect.any(Number), ...times, current: false },
      ]);
    },
  },
  { route: 'GET /api/admin/user/sessions', name: 'is not for a service account', as: 'viewer', status: 403 },
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
