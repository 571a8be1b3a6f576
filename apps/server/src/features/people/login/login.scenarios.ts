import { expect } from 'vitest';
import { asNewUser, givenUser } from '#testing/people.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';

export const loginScenarios: readonly Scenario[] = [
  {
    route: 'POST /auth/simple/login',
    name: 'returns the user and sets the session cookie',
    as: 'anonymous',
    given: async (server) => {
      const { username, password } = await givenUser(server);
      return { body: { username, password } };
    },
    answer: { rootRole: 3, accountType: 'User', activeSessions: 1, deletedSessions: 0 },
    events: [{ type: 'user-logged-in', data: { authType: 'simple', device: 'node', endedSessionIds: [] } }],
    check: ({ headers }) =>
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^yardarm-session=[\w-]{43}; Max-Age=172800; Path=\/; HttpOnly; SameSite=Lax$/),
      ]),
  },
  {
    route: 'POST /auth/simple/login',
    name: 'accepts an e-mail address as the user name, ignoring case',
    as: 'anonymous',
    given: async (server) => {
      const { username, password } = await givenUser(server);
      return { body: { username: `${username}@Example.COM`, password } };
    },
    events: [{ type: 'user-logged-in' }],
  },
  ...refusedTo('anonymous', 'POST /auth/simple/login', 401, {
    'refuses a wrong password': async (server) => ({
      body: { username: (await givenUser(server)).username, password: 'wrong' },
    }),
    'refuses an unknown user with the same error': { body: { username: 'who', password: 'wrong' } },
  }),
  ...refusedTo('anonymous', 'POST /auth/simple/login', 400, {
    'refuses unknown fields': { body: { username: 'who', password: 'wrong', remember: true } },
  }),
  {
    route: 'POST /logout',
    name: 'ends the session, clears the cookie and redirects to /signed-out',
    as: 'anonymous',
    given: asNewUser,
    events: [{ type: 'user-logged-out', data: { sessionIds: [expect.any(Number)] } }],
    check: ({ headers }) => {
      expect(headers.get('location')).toBe('/signed-out');
      expect(headers.get('set-cookie')).toBe('yardarm-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
      expect(headers.get('clear-site-data')).toBe('"cookies", "storage"');
    },
  },
  { route: 'POST /logout', name: 'redirects a caller who is not logged in, too', as: 'anonymous' },
  ...refusedTo('anonymous', 'POST /logout', 403, {
    'refuses a page of another site': async (server) => {
      const { headers } = await asNewUser(server);
      return { headers: { ...headers, 'sec-fetch-site': 'cross-site' } };
    },
  }),
];
