import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const later = '2099-01-01T00:00:00.000Z';

/** Creates a user with one token; returns the session headers and the answer to the creation of the token. */
async function givenToken(server: TestServer, description = 'laptop') {
  const headers = await logIn(server.anonymous, await givenUser(server));
  const { json: token } = await server.anonymous.call('POST /api/admin/user/tokens', {
    headers,
    body: { description, expiresAt: later },
  });
  return { headers, token };
}

const asOwner = async (server: TestServer): Promise<Call> => ({ headers: (await givenToken(server)).headers });

export const personalTokenScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user/tokens',
    name: 'lists the tokens of the caller without their secrets',
    as: 'anonymous',
    given: asOwner,
    check: ({ json }) =>
      expect(json.pats).toEqual([
        {
          id: expect.any(Number),
          userId: expect.any(Number),
          description: 'laptop',
          createdAt: expect.any(String),
          expiresAt: later,
          seenAt: null,
        },
      ]),
  },
  ...refusedTo('viewer', 'GET /api/admin/user/tokens', 403, {
    'answers 403 to a service account': {},
  }),
  {
    route: 'POST /api/admin/user/tokens',
    name: 'creates a token and returns its secret, which is not in the event',
    as: 'anonymous',
    given: async (server) => ({ ...(await asOwner(server)), body: { description: 'phone', expiresAt: later } }),
    answer: { description: 'phone', expiresAt: later },
    events: [{ type: 'pat-created', preData: null, data: { description: 'phone', expiresAt: later } }],
    check: async ({ json }, server) => {
      expect(json.secret).toMatch(/^user:[\w-]{43}$/);
      const { json: log } = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      expect(Object.keys(log.events[0].data)).toEqual(['id', 'description', 'userId', 'createdAt', 'expiresAt']);
    },
  },
  ...refusedTo('anonymous', 'POST /api/admin/user/tokens', 409, {
    'refuses the description of another token of the caller': async (server) => ({
      ...(await asOwner(server)),
      body: { description: 'laptop', expiresAt: later },
    }),
  }),
  ...refusedTo('anonymous', 'POST /api/admin/user/tokens', 400, {
    'refuses a time in the past': async (server) => ({
      ...(await asOwner(server)),
      body: { description: 'late', expiresAt: '2020-01-01T00:00:00Z' },
    }),
  }),
  ...refusedTo('anonymous', 'POST /api/admin/user/tokens', 403, {
    'refuses an eleventh token': async (server) => {
      const { headers } = await givenToken(server);
      for (let n = 2; n <= 10; n++)
        await server.anonymous.call('POST /api/admin/user/tokens', {
          headers,
          body: { description: `token ${n}`, expiresAt: later },
        });
      return { headers, body: { description: 'one too many', expiresAt: later } };
    },
  }),
  {
    route: 'DELETE /api/admin/user/tokens/:id',
    name: 'deletes a token of the caller',
    as: 'anonymous',
    given: async (server) => {
      const { headers, token } = await givenToken(server);
      return { headers, params: { id: token.id } };
    },
    events: [{ type: 'pat-deleted', data: { description: 'laptop' } }],
  },
  ...refusedTo('anonymous', 'DELETE /api/admin/user/tokens/:id', 404, {
    'answers 404 for the token of another user': async (server) => {
      const { token } = await givenToken(server);
      return { ...(await asOwner(server)), params: { id: token.id } };
    },
  }),
];
