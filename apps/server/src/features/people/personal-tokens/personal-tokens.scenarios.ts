import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { givenUser, logIn } from '#testing/people.ts';
import type { Scenario } from '#testing/scenario.ts';
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
    status: 200,
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
  {
    route: 'GET /api/admin/user/tokens',
    name: 'answers 403 to a service account',
    as: 'viewer',
    status: 403,
    answer: { name: 'OperationDeniedError' },
  },
  {
    route: 'POST /api/admin/user/tokens',
    name: 'creates a token and returns its secret, which is not in the event',
    as: 'anonymous',
    given: async (server) => ({ ...(await asOwner(server)), body: { description: 'phone', expiresAt: later } }),
    status: 201,
    answer: { description: 'phone', expiresAt: later },
    events: [{ type: 'pat-created', preData: null, data: { description: 'phone', expiresAt: later } }],
    check: async ({ json }, server) => {
      expect(json.secret).toMatch(/^user:[\w-]{43}$/);
      const { json: log } = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      expect(Object.keys(log.events[0].data)).toEqual(['id', 'description', 'userId', 'createdAt', 'expiresAt']);
    },
  },
  {
    route: 'POST /api/admin/user/tokens',
    name: 'refuses the description of another token of the caller',
    as: 'anonymous',
    given: async (server) => ({ ...(await asOwner(server)), body: { description: 'laptop', expiresAt: later } }),
    status: 409,
    answer: { name: 'NameExistsError', details: [{ path: 'description' }] },
  },
  {
    route: 'POST /api/admin/user/tokens',
    name: 'refuses an empty description',
    as: 'anonymous',
    given: async (server) => ({ ...(await asOwner(server)), body: { description: '  ', expiresAt: later } }),
    status: 400,
    answer: { details: [{ path: 'description' }] },
  },
  {
    route: 'POST /api/admin/user/tokens',
    name: 'refuses a time in the past',
    as: 'anonymous',
    given: async (server) => ({
      ...(await asOwner(server)),
      body: { description: 'late', expiresAt: '2020-01-01T00:00:00Z' },
    }),
    status: 400,
    answer: { details: [{ path: 'expiresAt' }] },
  },
  {
    route: 'POST /api/admin/user/tokens',
    name: 'refuses an eleventh token',
    as: 'anonymous',
    given: async (server) => {
      const { headers } = await givenToken(server);
      for (let n = 2; n <= 10; n++)
        await server.anonymous.call('POST /api/admin/user/tokens', {
          headers,
          body: { description: `token ${n}`, expiresAt: later },
        });
      return { headers, body: { description: 'one too many', expiresAt: later } };
    },
    status: 403,
    answer: { name: 'OperationDeniedError' },
  },
  {
    route: 'DELETE /api/admin/user/tokens/:id',
    name: 'deletes a token of the caller',
    as: 'anonymous',
    given: async (server) => {
      const { headers, token } = await givenToken(server);
      return { headers, params: { id: token.id } };
    },
    status: 200,
    events: [{ type: 'pat-deleted', data: { description: 'laptop' } }],
  },
  {
    route: 'DELETE /api/admin/user/tokens/:id',
    name: 'answers 404 for the token of another user',
    as: 'anonymous',
    given: async (server) => {
      const { token } = await givenToken(server);
      return { ...(await asOwner(server)), params: { id: token.id } };
    },
    status: 404,
  },
];
