import { expect } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { goodPassword } from '#testing/people.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
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
    route: 'GET /api/admin/invite-link/tokens/:token',
    name: 'returns a link',
    given: (server) => givenLink(server),
    answer: { enabled: true },
  },
  {
    route: 'PUT /api/admin/invite-link/tokens/:token',
    name: 'disables a link and records the old and the new fields',
    given: async (server) => ({ ...(await givenLink(server)), body: { enabled: false } }),
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
    answer: { enabled: false },
    events: [{ type: 'public-signup-token-updated', preData: { enabled: true }, data: { enabled: false } }],
  },
  ...refusedTo('anonymous', 'POST /invite/:token/signup', 400, {
    'refuses the id of a link instead of its secret': async (server) => {
      const { params } = await givenLink(server);
      const { json } = await server.admin.call('GET /api/admin/invite-link/tokens/:token', { params });
      return { params: { token: json.id }, ...guest() };
    },
  }),
  ...refused('PUT /api/admin/invite-link/tokens/:token', 400, {
    'refuses a body without fields': async (server) => ({ ...(await givenLink(server)), body: {} }),
  }),
];

const guests: readonly Scenario[] = [
  {
    route: 'GET /invite/:token/validate',
    name: 'answers 200 for a valid link',
    as: 'anonymous',
    given: (server) => givenLink(server),
  },
  ...refusedTo('anonymous', 'GET /invite/:token/validate', 400, {
    'refuses an unknown link': unknown,
    'refuses a disabled link': (server) => givenLink(server, { enabled: false }),
    'refuses an expired link': async (server) => {
      const link = await givenLink(server, { expiresAt: new Date(server.clock.now() + 1).toISOString() });
      server.clock.advance(1);
      return link;
    },
  }),
  {
    route: 'POST /invite/:token/signup',
    name: 'creates a Viewer',
    as: 'anonymous',
    given: async (server) => ({
      ...(await givenLink(server)),
      ...guest({ username: 'gus', email: 'Gus@Example.com' }),
    }),
    answer: { username: 'gus', email: 'gus@example.com', rootRole: 3 },
    events: [
      { type: 'user-created', data: { username: 'gus', rootRole: 3 } },
      { type: 'public-signup-token-user-added', preData: null },
    ],
  },
  ...refusedTo('anonymous', 'POST /invite/:token/signup', 409, {
    'refuses an e-mail address that is taken': async (server) => {
      const link = await givenLink(server);
      const call = { ...link, ...guest() };
      await server.anonymous.call('POST /invite/:token/signup', call);
      return call;
    },
  }),
  ...refusedTo('anonymous', 'POST /invite/:token/signup', 400, {
    'refuses a weak password': async (server) => ({ ...(await givenLink(server)), ...guest({ password: 'weak' }) }),
    'refuses a disabled link': async (server) => ({ ...(await givenLink(server, { enabled: false })), ...guest() }),
  }),
];

export const inviteLinkScenarios: readonly Scenario[] = [...managing, ...guests];
