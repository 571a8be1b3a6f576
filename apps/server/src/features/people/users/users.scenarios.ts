import { expect } from 'vitest';
import { asNewUser, givenTokenOwner, givenUser, goodPassword, logIn } from '#testing/people.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { callerRolesScenarios } from './caller-roles.scenarios.ts';
import { inactiveScenarios } from './inactive.scenarios.ts';
import { resetScenarios } from './reset.scenarios.ts';

const byId = async (server: TestServer) => ({ params: { id: (await givenUser(server)).id } });

const me: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user',
    name: 'returns the account of a viewer',
    as: 'anonymous',
    given: asNewUser,
    answer: { user: { name: 'A person', rootRole: 3 }, permissions: [], feedback: [], splash: {} },
  },
  {
    route: 'GET /api/admin/user',
    name: 'returns the scopes of the permissions of an editor',
    as: 'editor',
    check: ({ json }) => {
      expect(json.permissions).toContainEqual({ permission: 'CREATE_PROJECT' });
      expect(json.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: '*' });
      expect(json.permissions).toContainEqual({
        permission: 'UPDATE_FEATURE_ENVIRONMENT',
        project: '*',
        environment: '*',
      });
      expect(json.permissions).not.toContainEqual(expect.objectContaining({ permission: 'ADMIN' }));
    },
  },
  {
    route: 'GET /api/admin/user',
    name: 'returns ADMIN for an admin token',
    answer: { user: { id: -42, isAPI: true, username: 'admin' }, permissions: [{ permission: 'ADMIN' }] },
  },
  {
    route: 'GET /api/admin/user/profile',
    name: 'returns the root role of a user',
    as: 'anonymous',
    given: (server) => asNewUser(server, 'Editor'),
    answer: { rootRole: { id: 2, name: 'Editor', type: 'root' }, projects: [], canChangePassword: true },
  },
  {
    route: 'POST /api/admin/user/change-password',
    name: 'records that the password changed, but not the password',
    as: 'anonymous',
    given: async (server) => ({
      ...(await asNewUser(server)),
      body: { password: 'Another-Passw0rd', confirmPassword: 'Another-Passw0rd', oldPassword: goodPassword },
    }),
    events: [{ type: 'user-updated', preData: { rootRole: 3 }, data: { rootRole: 3, passwordChanged: true } }],
  },
  ...refusedTo('anonymous', 'POST /api/admin/user/change-password', 400, {
    'answers 400 when confirmPassword differs': async (server) => ({
      ...(await asNewUser(server)),
      body: { password: 'Another-Passw0rd', confirmPassword: 'Another-Passw0rt', oldPassword: goodPassword },
    }),
  }),
  {
    route: 'POST /api/admin/user/change-password',
    name: 'deletes the personal tokens of the caller with revokeTokens',
    as: 'anonymous',
    given: async (server) => {
      const { headers, user } = await givenTokenOwner(server);
      await logIn(server.anonymous, user);
      const password = 'Another-Passw0rd';
      const body = { password, confirmPassword: password, oldPassword: goodPassword, revokeTokens: true };
      return { headers, body };
    },
    events: [
      { type: 'session-ended', data: { reason: 'password changed', sessionIds: [expect.any(Number)] } },
      { type: 'user-updated', data: { passwordChanged: true } },
      { type: 'pat-deleted', data: { description: 'laptop' } },
    ],
  },
  ...refusedTo('anonymous', 'POST /api/admin/user/change-password', 401, {
    'refuses a wrong old password': async (server) => ({
      ...(await asNewUser(server)),
      body: { password: 'Another-Passw0rd', confirmPassword: 'Another-Passw0rd', oldPassword: 'wrong' },
    }),
  }),
  ...refusedTo('viewer', 'POST /api/admin/user/change-password', 403, {
    'refuses a service account, which has no password': {
      body: { password: 'Another-Passw0rd', confirmPassword: 'Another-Passw0rd', oldPassword: 'x' },
    },
  }),
];

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/user-admin',
    name: 'lists users with their number of sessions, and the root roles, but no service accounts',
    given: async (server) => {
      await logIn(server.anonymous, await givenUser(server));
      return {};
    },
    answer: { rootRoles: [{ name: 'Admin' }, { name: 'Editor' }, { name: 'Viewer' }, { name: 'On call' }] },
    check: ({ json }) => {
      expect(json.users[0]).toMatchObject({ username: 'admin', rootRole: 1, accountType: 'User' });
      expect(json.users.at(-1)).toMatchObject({ name: 'A person', activeSessions: 1 });
    },
  },
  {
    route: 'GET /api/admin/user-admin/admin-count',
    name: 'counts administrators',
    answer: { password: expect.any(Number), noPassword: expect.any(Number), service: expect.any(Number) },
  },
  {
    route: 'GET /api/admin/user-admin/search',
    name: 'finds users by a part of their name, ignoring case',
    as: 'viewer',
    given: async (server) => {
      await server.admin.call('POST /api/admin/user-admin', {
        body: { username: 'grace', name: 'Grace 100% Hopper', rootRole: 3 },
      });
      return { query: { q: '100% HOP' } };
    },
    check: ({ json }) =>
      expect(json).toMatchObject([{ id: expect.any(Number), name: 'Grace 100% Hopper', username: 'grace' }]),
  },
  {
    route: 'GET /api/admin/user-admin/search',
    name: 'finds no users by a single letter',
    call: { query: { q: 'a' } },
    check: ({ json }) => expect(json).toEqual([]),
  },
  {
    route: 'GET /api/admin/user-admin/:id',
    name: 'shows a user',
    given: byId,
    answer: { name: 'A person', rootRole: 3, loginAttempts: 0, seenAt: null, activeSessions: 0 },
  },
  {
    route: 'POST /api/admin/user-admin/validate-password',
    name: 'answers 200 for a password that follows the rules',
    as: 'viewer',
    call: { body: { password: goodPassword } },
  },
  ...refusedTo('viewer', 'POST /api/admin/user-admin/validate-password', 400, {
    'refuses a common password that keeps all other rules': { body: { password: 'P@ssw0rd2026' } },
  }),
  {
    route: 'POST /api/admin/user-admin/validate-password',
    name: 'tells everything that a password lacks',
    as: 'viewer',
    call: { body: { password: 'aaab' } },
    status: 400,
    answer: { name: 'OwaspValidationError' },
    check: ({ json }) => expect(json.details[0].validationErrors).toHaveLength(5),
  },
];

const managing: readonly Scenario[] = [
  {
    route: 'POST /api/admin/user-admin',
    name: 'creates a user, the password in neither answer nor event',
    call: {
      body: { username: 'ada', email: 'Ada@Example.com', name: 'Ada', password: goodPassword, rootRole: 'Editor' },
    },
    answer: { username: 'ada', email: 'ada@example.com', name: 'Ada', rootRole: 2, emailSent: false },
    events: [
      {
        type: 'user-created',
        preData: null,
        data: { username: 'ada', email: 'ada@example.com', name: 'Ada', rootRole: 2 },
      },
    ],
    check: async ({ json, headers, text }, server) => {
      expect(headers.get('location')).toBe(String(json.id));
      const { text: events } = await server.admin.call('GET /api/admin/events');
      expect(text + events).not.toContain(goodPassword);
    },
  },
  {
    route: 'POST /api/admin/user-admin',
    name: 'creates a user by e-mail address alone, without a password',
    call: { body: { email: 'only@example.com', rootRole: 3, sendEmail: false } },
    answer: { email: 'only@example.com' },
    check: ({ json }) => {
      expect(json).not.toHaveProperty('username');
      expect(json).not.toHaveProperty('name');
    },
    events: [{ type: 'user-created', data: { username: null, email: 'only@example.com' } }],
  },
  ...refused('POST /api/admin/user-admin', 400, {
    'answers 400 without a user name and an e-mail address': { body: { name: 'Nobody', rootRole: 3 } },
    'refuses an e-mail address that is the user name of another user': async (server) => {
      await server.admin.call('POST /api/admin/user-admin', { body: { username: 'me@example.com', rootRole: 3 } });
      return { body: { email: 'Me@example.com', rootRole: 3 } };
    },
    'refuses a weak password': { body: { username: 'weak', password: 'weak', rootRole: 3 } },
    'refuses a project role': { body: { username: 'owner', rootRole: 'Owner' } },
  }),
  {
    route: 'PUT /api/admin/user-admin/:id',
    name: 'records the old and the new fields',
    given: async (server) => ({ ...(await byId(server)), body: { name: 'Renamed', rootRole: 1 } }),
    answer: { name: 'Renamed', rootRole: 1 },
    events: [
      { type: 'user-updated', preData: { name: 'A person', rootRole: 3 }, data: { name: 'Renamed', rootRole: 1 } },
    ],
  },
  ...refused('PUT /api/admin/user-admin/:id', 400, {
    'refuses the e-mail address of another user': async (server) => {
      const { username } = await givenUser(server);
      return { ...(await byId(server)), body: { email: `${username}@example.com` } };
    },
  }),
  {
    route: 'DELETE /api/admin/user-admin/:id',
    name: 'deletes a user',
    given: byId,
    events: [{ type: 'user-deleted', preData: { name: 'A person', rootRole: 3 }, data: null }],
  },
  ...refused('DELETE /api/admin/user-admin/:id', 404, {
    'answers 404 for a service account': async (server) => {
      const { json } = await server.admin.call('POST /api/admin/service-account', {
        body: { username: `no-person-${Math.random().toString(36).slice(2)}`, name: 'x', rootRole: 3 },
      });
      return { params: { id: json.id } };
    },
  }),
  {
    route: 'POST /api/admin/user-admin/:id/change-password',
    name: 'records that the password changed, but not the password',
    given: async (server) => ({ ...(await byId(server)), body: { password: 'Another-Passw0rd' } }),
    events: [{ type: 'user-updated', data: { passwordChanged: true } }],
  },
  {
    route: 'POST /api/admin/user-admin/:id/change-password',
    name: 'deletes the personal tokens of the user with revokeTokens',
    given: async (server) => {
      const { user } = await givenTokenOwner(server);
      return { params: { id: user.id }, body: { password: 'Another-Passw0rd', revokeTokens: true } };
    },
    events: [
      { type: 'session-ended', data: { reason: 'password changed', sessionIds: [expect.any(Number)] } },
      { type: 'user-updated', data: { passwordChanged: true } },
      { type: 'pat-deleted', data: { description: 'laptop' } },
    ],
  },
  ...refused('POST /api/admin/user-admin/:id/change-password', 400, {
    'refuses a weak password': async (server) => ({ ...(await byId(server)), body: { password: 'weak' } }),
  }),
];

export const userScenarios: readonly Scenario[] = [
  ...me,
  ...callerRolesScenarios,
  ...reading,
  ...managing,
  ...resetScenarios,
  ...inactiveScenarios,
];
