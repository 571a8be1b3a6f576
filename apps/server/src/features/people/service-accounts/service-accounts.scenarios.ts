import { expect } from 'vitest';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

let made = 0;
const later = '2099-01-01T00:00:00.000Z';

/** Creates a service account with a token and a unique name. */
async function givenServiceAccount(
  server: TestServer,
  rootRole: number | string = 'Viewer',
): Promise<{ id: number; username: string; tokenId: number; secret: string }> {
  const username = `robot-${++made}`;
  const { json: account } = await server.admin.call('POST /api/admin/service-account', {
    body: { username, name: 'A robot', rootRole },
  });
  const { json: token } = await server.admin.call('POST /api/admin/service-account/:id/token', {
    params: { id: account.id },
    body: { description: 'first', expiresAt: later },
  });
  return { id: account.id, username, tokenId: token.id, secret: token.secret };
}

const byId = async (server: TestServer) => ({ params: { id: (await givenServiceAccount(server)).id } });

const accounts: readonly Scenario[] = [
  {
    route: 'GET /api/admin/service-account',
    name: 'lists accounts with their tokens but no secrets, and the root roles',
    given: async (server) => {
      await givenServiceAccount(server);
      return {};
    },
    answer: {
      rootRoles: [
        { id: 1, name: 'Admin', type: 'root', project: null },
        { id: 2, name: 'Editor' },
        { id: 3, name: 'Viewer' },
        { id: 7, name: 'On call', type: 'root-custom' },
      ],
    },
    check: ({ json, text }) => {
      expect(json.serviceAccounts.at(-1)).toMatchObject({
        accountType: 'Service Account',
        isAPI: true,
        tokens: [{ description: 'first', expiresAt: later, seenAt: null }],
      });
      expect(text).not.toContain('user:');
    },
  },
  {
    route: 'POST /api/admin/service-account',
    name: 'creates an account by the id of its role',
    call: { body: { username: 'deployer', name: 'Deployer', rootRole: 2, extra: 'ignored' } },
    answer: { username: 'deployer', name: 'Deployer', rootRole: 2, seenAt: null, tokens: [] },
    events: [
      {
        type: 'service-account-created',
        preData: null,
        data: { username: 'deployer', name: 'Deployer', email: null, rootRole: 2 },
      },
    ],
    check: ({ json, headers }) => expect(headers.get('location')).toBe(`service-account/${json.id}`),
  },
  {
    route: 'POST /api/admin/service-account',
    name: 'creates an account by the name of its role',
    call: { body: { username: 'watcher', name: 'Watcher', rootRole: 'Viewer' } },
    answer: { rootRole: 3 },
    events: [{ type: 'service-account-created', data: { rootRole: 3 } }],
  },
  ...refused('POST /api/admin/service-account', 409, {
    'refuses a user name that is taken': async (server) => ({
      body: { username: (await givenServiceAccount(server)).username, name: 'x', rootRole: 3 },
    }),
  }),
  ...refused('POST /api/admin/service-account', 400, {
    'refuses a role that does not exist': { body: { username: 'nobody', name: 'x', rootRole: 77 } },
  }),
  {
    route: 'PUT /api/admin/service-account/:id',
    name: 'updates name and role and records the old and the new fields',
    given: async (server) => ({ ...(await byId(server)), body: { name: 'Other', rootRole: 'Editor' } }),
    answer: { name: 'Other', rootRole: 2, tokens: [{ description: 'first' }] },
    events: [
      {
        type: 'service-account-updated',
        preData: { name: 'A robot', rootRole: 3 },
        data: { name: 'Other', rootRole: 2 },
      },
    ],
  },
  {
    route: 'DELETE /api/admin/service-account/:id',
    name: 'deletes an account',
    given: byId,
    events: [{ type: 'service-account-deleted', preData: { name: 'A robot' }, data: null }],
  },
];

const tokens: readonly Scenario[] = [
  {
    route: 'GET /api/admin/service-account/:id/token',
    name: 'lists tokens without their secrets',
    given: byId,
    answer: { pats: [{ description: 'first', expiresAt: later }] },
    check: ({ text }) => expect(text).not.toContain('user:'),
  },
  {
    route: 'POST /api/admin/service-account/:id/token',
    name: 'creates a token and returns its secret, which is not in the event',
    given: async (server) => ({
      ...(await byId(server)),
      body: { description: ' second ', expiresAt: '2099-06-01T02:00:00+02:00' },
    }),
    answer: { description: 'second', expiresAt: '2099-06-01T00:00:00.000Z', seenAt: null },
    events: [{ type: 'service-account-token-created', preData: null, data: { description: 'second' } }],
    check: async ({ json }, server) => {
      expect(json.secret).toMatch(/^user:[A-Za-z0-9_-]{43}$/);
      const { json: log } = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      expect(log.events[0].data).toEqual({
        id: json.id,
        description: 'second',
        userId: json.userId,
        ownerId: json.userId,
        createdAt: json.createdAt,
        expiresAt: json.expiresAt,
      });
    },
  },
  ...refused('POST /api/admin/service-account/:id/token', 409, {
    'refuses the description of another token of the account': async (server) => ({
      ...(await byId(server)),
      body: { description: 'first', expiresAt: later },
    }),
  }),
  ...refused('POST /api/admin/service-account/:id/token', 400, {
    'refuses a time after the year 9999': async (server) => ({
      ...(await byId(server)),
      body: { description: 'far', expiresAt: '9999-12-31T23:59:59-23:59' },
    }),
  }),
  {
    route: 'DELETE /api/admin/service-account/:id/token/:tokenId',
    name: 'deletes a token',
    given: async (server) => {
      const { id, tokenId } = await givenServiceAccount(server);
      return { params: { id, tokenId } };
    },
    events: [{ type: 'service-account-token-deleted', data: { description: 'first' } }],
  },
  ...refused('DELETE /api/admin/service-account/:id/token/:tokenId', 404, {
    'answers 404 for a token of another account': async (server) => {
      const [account, other] = [await givenServiceAccount(server), await givenServiceAccount(server)];
      return { params: { id: account.id, tokenId: other.tokenId } };
    },
  }),
];

export const serviceAccountScenarios: readonly Scenario[] = [...accounts, ...tokens];
