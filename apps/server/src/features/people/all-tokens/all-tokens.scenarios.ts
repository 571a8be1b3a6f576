import { expect } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { givenTokenOwner } from '#testing/people.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const later = '2099-01-01T00:00:00.000Z';

async function givenServiceAccountToken(server: TestServer) {
  const body = { username: freshName('pipeline'), name: 'Pipeline', rootRole: 3 };
  const { json: account } = await server.admin.call('POST /api/admin/service-account', { body });
  const { json: token } = await server.admin.call('POST /api/admin/service-account/:id/token', {
    params: { id: account.id },
    body: { description: 'deploy', expiresAt: later },
  });
  return { account, token };
}

/** Returns the tokens of the list with a name. */
const named = (json: { readonly tokens: readonly { readonly name: string }[] }, name: string) =>
  json.tokens.filter((token) => token.name === name);

export const allTokenScenarios: readonly Scenario[] = [
  {
    route: 'GET /api/admin/tokens',
    name: 'lists API tokens and the tokens of users and service accounts, without a secret',
    given: async (server) => {
      const { secret } = await givenToken(server, { tokenName: 'checkout', expiresAt: later });
      await givenTokenOwner(server);
      const robot = await givenServiceAccountToken(server);
      expect([secret, robot.token.secret]).not.toContain(undefined);
      return {};
    },
    check: async ({ json, text }, server) => {
      const dates = { createdAt: expect.any(String), expiresAt: expect.any(String), seenAt: null };
      const { createdBy } = (await server.admin.call('GET /api/admin/events', { query: { limit: 1 } })).json.events[0];
      expect(named(json, 'checkout')).toEqual([
        {
          kind: 'api',
          id: expect.any(Number),
          name: 'checkout',
          scope: { type: 'backend', environment: 'development', projects: ['*'] },
          owner: null,
          createdBy,
          ...dates,
        },
      ]);
      const [personal] = named(json, 'laptop') as { owner?: { name: string } }[];
      const owner = { id: expect.any(Number), name: expect.stringMatching(/^person-.*@example\.com$/) };
      expect(personal).toMatchObject({ kind: 'personal', scope: null, owner, createdBy: personal?.owner?.name });
      expect(named(json, 'deploy')).toMatchObject([
        {
          kind: 'service-account',
          scope: null,
          owner: { name: expect.stringContaining('pipeline') },
          createdBy,
          ...dates,
        },
      ]);
      expect(text).not.toContain('secret');
      expect(text).not.toMatch(/user:[\w-]{20}|development\.[\w-]{20}/);
    },
  },
  {
    route: 'DELETE /api/admin/personal-tokens/:id',
    name: 'deletes the token of a user',
    given: async (server) => {
      const { headers } = await givenTokenOwner(server);
      const { json } = await server.anonymous.call('GET /api/admin/user/tokens', { headers });
      return { params: { id: json.pats[0].id } };
    },
    events: [{ type: 'pat-deleted', preData: null, data: { description: 'laptop', userId: expect.any(Number) } }],
  },
  {
    route: 'DELETE /api/admin/personal-tokens/:id',
    name: 'deletes the token of a service account',
    given: async (server) => ({ params: { id: (await givenServiceAccountToken(server)).token.id } }),
    events: [{ type: 'service-account-token-deleted', data: { description: 'deploy', ownerId: expect.any(Number) } }],
  },
];
