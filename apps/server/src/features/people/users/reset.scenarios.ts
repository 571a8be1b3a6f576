import { expect } from 'vitest';
import { givenTokenOwner, givenUser, goodPassword } from '#testing/people.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const otherPassword = 'Another-G00d-One';

/** Creates a user and returns the secret of a password link for it. */
async function givenLink(server: TestServer): Promise<string> {
  return linkOf(server, (await givenUser(server)).id);
}

async function linkOf(server: TestServer, id: number): Promise<string> {
  const { json } = await server.admin.call('POST /api/admin/user-admin/reset-password', { body: { id } });
  return new URL(json.resetPasswordUrl).searchParams.get('token') ?? '';
}

const reset = (server: TestServer, token: string, password = otherPassword) =>
  server.anonymous.call('POST /auth/reset/password', { body: { token, password } });

export const resetScenarios: readonly Scenario[] = [
  ...refused('POST /auth/reset/password-email', 422, {
    'answers 422 without a mail server': { body: { email: 'ada@example.com' } },
  }),
  {
    route: 'POST /api/admin/user-admin/reset-password',
    name: 'creates a link and ends the one before',
    given: async (server) => ({ body: { id: (await givenUser(server)).id } }),
    check: async ({ json }, server) => {
      const secretOf = (url: string) => new URL(url).searchParams.get('token') ?? '';
      const validate = async (url: string) =>
        (await server.anonymous.call('GET /auth/reset/validate', { query: { token: secretOf(url) } })).status;
      expect(json.resetPasswordUrl).toMatch(/\/reset-password\?token=[A-Za-z0-9_-]{43}$/);
      const found = await server.anonymous.call('GET /auth/reset/validate', {
        query: { token: secretOf(json.resetPasswordUrl) },
      });
      const again = await server.admin.call('POST /api/admin/user-admin/reset-password', {
        body: { id: found.json.id },
      });
      expect([await validate(json.resetPasswordUrl), await validate(again.json.resetPasswordUrl)]).toEqual([401, 200]);
    },
  },
  {
    route: 'POST /api/admin/user-admin/reset-password',
    name: 'accepts the id as text',
    given: async (server) => ({ body: { id: String((await givenUser(server)).id) } }),
  },
  {
    route: 'POST /api/admin/user-admin/reset-password',
    name: 'accepts the e-mail address of the user instead of the id',
    given: async (server) => ({ body: { id: `${(await givenUser(server)).username.toUpperCase()}@Example.com` } }),
    check: async ({ json }, server) => {
      const token = new URL(json.resetPasswordUrl).searchParams.get('token') ?? '';
      expect((await server.anonymous.call('GET /auth/reset/validate', { query: { token } })).json).toMatchObject({
        email: expect.stringMatching(/@example\.com$/),
      });
    },
  },
  ...[99999, '99999', 'nobody@example.com'].map(
    (id): Scenario => ({
      route: 'POST /api/admin/user-admin/reset-password',
      name: `answers 404 for the unknown user ${JSON.stringify(id)}`,
      call: { body: { id } },
      status: 404,
    }),
  ),
  ...refused('POST /api/admin/user-admin/reset-password', 400, {
    'answers 400 for text that is neither an id nor an address': { body: { id: 'nobody' } },
  }),
  {
    route: 'GET /auth/reset/validate',
    name: 'returns the user of the link',
    as: 'anonymous',
    given: async (server) => ({ query: { token: await givenLink(server) } }),
    answer: { name: 'A person', createdBy: 'admin', role: { name: 'Viewer' } },
  },
  ...refusedTo('anonymous', 'GET /auth/reset/validate', 401, {
    'answers 401 for an unknown link': { query: { token: 'unknown' } },
  }),
  {
    route: 'POST /auth/reset/password',
    name: 'sets the password once',
    as: 'anonymous',
    given: async (server) => ({ body: { token: await givenLink(server), password: otherPassword } }),
    events: [{ type: 'user-updated', data: { passwordChanged: true, passwordLinkBy: 'admin' } }],
  },
  {
    route: 'POST /auth/reset/password',
    name: 'deletes the personal tokens of the user with revokeTokens',
    as: 'anonymous',
    given: async (server) => {
      const { user } = await givenTokenOwner(server);
      return { body: { token: await linkOf(server, user.id), password: otherPassword, revokeTokens: true } };
    },
    events: [
      { type: 'session-ended', data: { reason: 'password changed', sessionIds: [expect.any(Number)] } },
      { type: 'user-updated', data: { passwordChanged: true } },
      { type: 'pat-deleted', data: { description: 'laptop' } },
    ],
  },
  ...refusedTo('anonymous', 'POST /auth/reset/password', 403, {
    'refuses a link that has been used': async (server) => {
      const token = await givenLink(server);
      expect((await reset(server, token)).status).toBe(200);
      return { body: { token, password: 'Yet-An0ther-G00d' } };
    },
  }),
  ...refusedTo('anonymous', 'POST /auth/reset/password', 400, {
    'refuses the current password': async (server) => ({
      body: { token: await givenLink(server), password: goodPassword },
    }),
    'refuses a weak password and keeps the link': async (server) => ({
      body: { token: await givenLink(server), password: 'weak' },
    }),
  }),
  ...refusedTo('anonymous', 'POST /auth/reset/password', 401, {
    'answers 401 for an unknown link': { body: { token: 'unknown', password: otherPassword } },
  }),
  {
    route: 'POST /auth/reset/validate-password',
    name: 'answers 200 for a password that follows the rules',
    as: 'anonymous',
    call: { body: { password: goodPassword } },
  },
  ...refusedTo('anonymous', 'POST /auth/reset/validate-password', 400, {
    'answers 400 for a weak password': { body: { password: 'weak' } },
  }),
];
