import { expect } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { goodPassword } from '#testing/people.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const later = '2099-01-01T00:00:00.000Z';
const unknown = { params: { token: 'unknown' } };

async function givenLink(server: TestServer, change?: object): Promise<{ params: { token: string } }> {
  const body = { name: freshName('link'), expiresAt: later };
  const { json } = await server.admin.call('POST /api/admin/invite-link/tokens', { body });
  const params = { token: json.secret };
  if (change !== undefined)
    await server.admin.call('PUT /api/admin/invite-link/tokens/:token', { params, body: change });
  return { params };
}

function guest(more: object = {}) {
  const name = freshName('guest');
  return { body: { name, email: `${name}@example.com`, password: goodPassword, ...more } };
}

const managing: readonly Scenario[] = [
  {
    route: 'GET /api/admin/invite-link/tokens',
    name: 'lists links with the users who signed up',
    given: async (server) => {
      const { params } = await givenLink(server);
      await server.anonymous.call('POST /invite/:token/signup', { params, ...guest({ name: 'Gwen' }) });
      return {};
    },
    status: 200,
    check: ({ json }) => {
      const link = json.tokens.at(-1);
      expect(link).toMatchObject({ enabled: true, users: [{ name: 'Gwen' }], role: { name: 'Viewer' } });
      expect(link).not.toHaveProperty('secret');
      expect(link).not.toHaveProperty('url');
    },
  },
  {
    route: 'POST /api/admin/invite-link/tokens',
    name: 'creates a link and returns its URL, with the secret neither in the event nor in the database',
    call: { body: { name: ' For the team ', expiresAt: later } },
    status: 201,
    answer: { name: 'For the team', expiresAt: later, enabled: true, users: [], createdBy: 'admin' },
    events: [
      {
        type: 'public-signup-token-created',
        preData: null,
        data: { name: 'For the team', enabled: true, expiresAt: later },
      },
    ],
    check: async ({ json }, server) => {
      expect(json.url).toMatch(new RegExp(`^http://.*/new-user\\?invite=${json.secret}$`));
      expect((await server.admin.call('GET /api/admin/events')).text).not.toContain(json.secret);
      const rows = await server.app.database.db.selectFrom('invite_links').selectAll().execute();
      expect(JSON.stringify(rows)).not.toContain(json.secret);
    },
  },
  {
    route: 'POST /api/admin/invite-link/tokens',
    name: 'refuses a time in the past',
    call: { body: { name: 'late', expiresAt: '2001-01-01T00:00:00Z' } },
    status: 400,
    answer: { details: [{ path: 'expiresAt' }] },
  },
  {
    route: 'GET /api/admin/invite-link/tokens/:token',
    name: 'returns a link',
    given: (server) => givenLink(server),
    status: 200,
    answer: { enabled: true },
  },
  {
    route: 'PUT /api/admin/invite-link/tokens/:token',
    name: 'disables a link and records the old and the new fields',
    given: async (server) => ({ ...(await givenLink(server)), body: { enabled: false } }),
    status: 200,
    answer: { enabled: false },
    events: [{ type: 'public-signup-token-updated', preData: { enabled: true }, data: { enabled: false } }],
  },
  {
    route: 'PUT /api/admin/invite-link/tokens/:token',
    name: 'accepts the id of a link',
    given: async (server) => {
      const { params } = await givenLink(server);
      const { json } = await server.admin.call('GET /api/admin/invite-link/tokens/:token', { params });
      return { params: { token: json.id }, body: { enabled: false } };
    },
    status: 200,
    answer: { enabled: false },
    events: [{ type: 'public-signup-token-updated', preData: { enabled: true }, data: { enabled: false } }],
  },
  {
    route: 'POST /invite/:token/signup',
    name: 'refuses the id of a link instead of its secret',
    as: 'anonymous',
    given: async (server) => {
      const { params } = await givenLink(server);
      const { json } = await server.admin.call('GET /api/admin/invite-link/tokens/:token', { params });
      return { params: { token: json.id }, ...guest() };
    },
    status: 400,
  },
  {
    route: 'PUT /api/admin/invite-link/tokens/:token',
    name: 'refuses a body without fields',
    given: async (server) => ({ ...(await givenLink(server)), body: {} }),
    status: 400,
  },
];

const guests: readonly Scenario[] = [
  {
    route: 'GET /invite/:token/validate',
    name: 'answers 200 for a valid link',
    as: 'anonymous',
    given: (server) => givenLink(server),
    status: 200,
  },
  {
    route: 'GET /invite/:token/validate',
    name: 'refuses an unknown link',
    as: 'anonymous',
    call: unknown,
    status: 400,
  },
  {
    route: 'GET /invite/:token/validate',
    name: 'refuses a disabled link',
    as: 'anonymous',
    given: (server) => givenLink(server, { enabled: false }),
    status: 400,
  },
  {
    route: 'GET /invite/:token/validate',
    name: 'refuses an expired link',
    as: 'anonymous',
    given: async (server) => {
      const link = await givenLink(server, { expiresAt: new Date(server.clock.now() + 1).toISOString() });
      server.clock.advance(1);
      return link;
    },
    status: 400,
  },
  {
    route: 'POST /invite/:token/signup',
    name: 'creates a Viewer',
    as: 'anonymous',
    given: async (server) => ({
      ...(await givenLink(server)),
      ...guest({ username: 'gus', email: 'Gus@Example.com' }),
    }),
    status: 201,
    answer: { username: 'gus', email: 'gus@example.com', rootRole: 3 },
    events: [
      { type: 'user-created', data: { username: 'gus', rootRole: 3 } },
      { type: 'public-signup-token-user-added', preData: null },
    ],
  },
  {
    route: 'POST /invite/:token/signup',
    name: 'refuses an e-mail address that is taken',
    as: 'anonymous',
    given: async (server) => {
      const link = await givenLink(server);
      const call = { ...link, ...guest() };
      await server.anonymous.call('POST /invite/:token/signup', call);
      return call;
    },
    status: 409,
    answer: { details: [{ path: 'email' }] },
  },
  {
    route: 'POST /invite/:token/signup',
    name: 'refuses a weak password',
    as: 'anonymous',
    given: async (server) => ({ ...(await givenLink(server)), ...guest({ password: 'weak' }) }),
    status: 400,
    answer: { name: 'OwaspValidationError' },
  },
  {
    route: 'POST /invite/:token/signup',
    name: 'refuses a disabled link',
    as: 'anonymous',
    given: async (server) => ({ ...(await givenLink(server, { enabled: false })), ...guest() }),
    status: 400,
  },
];

export const inviteLinkScenarios: readonly Scenario[] = [...managing, ...guests];
