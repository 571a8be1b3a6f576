import { expect, onTestFinished } from 'vitest';
import { givenGroup } from '#testing/access.ts';
import type { IdentityProvider } from '#testing/identity-provider.ts';
import { givenUser, goodPassword, logIn } from '#testing/people.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { aStranger, Browser, givenProvider } from '#testing/single-sign-on.ts';

/** State passed from `given` to `check` of one scenario. */
let provider: IdentityProvider | undefined;

/** Starts a provider that stops with the test. */
async function startProvider(server: TestServer, settings: object = {}): Promise<IdentityProvider> {
  const started = await givenProvider(server, settings);
  onTestFinished(() => started.stop());
  provider = started;
  return started;
}

/** Returns the callback request of a browser whose user logged in at the provider with `claims`. */
async function sentBack(server: TestServer, settings: object, claims: object) {
  (await startProvider(server, settings)).user = aStranger(claims);
  const browser = new Browser();
  const { searchParams } = new URL(await browser.toCallback(server));
  return { query: Object.fromEntries(searchParams), headers: browser.cookiesOf(server.url) };
}

const squatter: { headers: Record<string, string> } = { headers: {} };

const login = 'GET /auth/oidc/login';
const callback = 'GET /auth/oidc/callback';

export const singleSignOnScenarios: readonly Scenario[] = [
  ...refusedTo('anonymous', login, 422, {
    'answers 422 when single sign-on is off': {},
  }),
  {
    route: login,
    name: 'redirects to the provider and sets a cookie for the callback',
    as: 'anonymous',
    given: async (server) => {
      await startProvider(server);
      return {};
    },
    check: ({ headers }) => {
      expect(headers.get('location')).toMatch(`${provider?.issuer}/auth?`);
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^yardarm-login-[\w-]{12}=[\w-]{43}; Max-Age=600; Path=\/auth\/oidc; HttpOnly; SameSite=Lax$/,
        ),
      ]);
    },
  },
  {
    route: callback,
    name: 'creates a user at the first login',
    as: 'anonymous',
    given: (server) => sentBack(server, { autoCreate: true }, { email: 'first@example.com' }),
    events: [
      { type: 'user-created', data: { email: 'first@example.com', rootRole: 2 }, preData: null },
      { type: 'user-logged-in', data: { authType: 'oidc' } },
    ],
    check: ({ headers }) => {
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^yardarm-session=[\w-]{43}; Max-Age=172800; Path=\/; HttpOnly; SameSite=Lax$/),
        expect.stringMatching(/^yardarm-login-[\w-]{12}=; Max-Age=0; Path=\/auth\/oidc; HttpOnly; SameSite=Lax$/),
      ]);
    },
  },
  {
    route: callback,
    name: 'adds a user to groups and removes it from others, as the provider says',
    as: 'anonymous',
    given: async (server) => {
      const { id, username } = await givenUser(server);
      await givenGroup(server, [], { mappingsSSO: ['in'] });
      await givenGroup(server, [id], { mappingsSSO: ['out'] });
      const claims = { email: `${username}@example.com`, realm_access: { roles: ['in'] } };
      return sentBack(server, { enableGroupSyncing: true, groupJsonPath: 'realm_access.roles' }, claims);
    },
    events: [
      { type: 'group-user-added', data: { groupId: expect.any(Number), userId: expect.any(Number) }, preData: null },
      { type: 'group-user-removed', data: null, preData: { groupId: expect.any(Number), userId: expect.any(Number) } },
      { type: 'user-logged-in', data: { authType: 'oidc' } },
    ],
  },
  {
    route: callback,
    name: 'removes the password of an invited user whose e-mail address was not verified',
    as: 'anonymous',
    given: async (server) => {
      const { json: link } = await server.admin.call('POST /api/admin/invite-link/tokens', {
        body: { name: 'guests', expiresAt: '2099-01-01T00:00:00.000Z' },
      });
      await server.anonymous.call('POST /invite/:token/signup', {
        params: { token: link.secret },
        body: { username: 'squatter', email: 'owner@example.com', name: 'Squatter', password: goodPassword },
      });
      squatter.headers = await logIn(server.anonymous, { username: 'squatter', password: goodPassword });
      await server.anonymous.call('POST /api/admin/user/tokens', {
        ...squatter,
        body: { description: 'kept for later', expiresAt: '2099-01-01T00:00:00.000Z' },
      });
      return sentBack(server, {}, { email: 'owner@example.com' });
    },
    events: [
      { type: 'session-ended', data: { reason: 'account claimed by single sign-on' } },
      { type: 'user-updated', data: { email: 'owner@example.com', passwordChanged: true } },
      { type: 'pat-deleted', data: { description: 'kept for later' } },
      { type: 'user-logged-in', data: { authType: 'oidc' } },
    ],
    check: async (_reply, server) => {
      expect((await server.anonymous.call('GET /api/admin/user', squatter)).status).toBe(401);
      await expect(logIn(server.anonymous, { username: 'squatter', password: goodPassword })).rejects.toThrow('401');
    },
  },
  ...refusedTo('anonymous', callback, 401, {
    'answers 401 for a callback without a pending login': { query: { code: 'x', state: 'y' } },
  }),
];
