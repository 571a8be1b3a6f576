import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { asNewUser } from '#testing/people.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const said = {
  category: 'search',
  userType: 'developer',
  difficultyScore: 3.5,
  positive: 'It finds what I look for.',
  areasForImprovement: null,
};

/** Returns the call of a new user; the scenario reads the state of that user afterwards. */
const newUser: { headers: Record<string, string> } = { headers: {} };
const by = (call: Call) => async (server: TestServer) => {
  Object.assign(newUser, await asNewUser(server));
  return { ...call, headers: newUser.headers };
};
const kept = async (server: TestServer) =>
  (await server.anonymous.call('GET /api/admin/user', { headers: newUser.headers })).json;

export const interfaceStateScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/admin/splash/:id',
    name: 'is returned to its user afterwards',
    as: 'anonymous',
    given: by({ params: { id: 'new-start-page' } }),
    answer: { splashId: 'new-start-page', seen: true },
    check: async (_reply, server) => {
      const again = await server.anonymous.call('POST /api/admin/splash/:id', {
        params: { id: 'new-start-page' },
        headers: newUser.headers,
      });
      expect(again.status).toBe(200);
      expect((await kept(server)).splash).toEqual({ 'new-start-page': true });
    },
  },
  {
    route: 'POST /api/admin/splash/:id',
    name: 'is accepted from an admin token, without being stored',
    call: { params: { id: 'x' } },
    answer: { userId: -42, seen: true },
  },
  ...refused('POST /api/admin/splash/:id', 400, {
    'refuses an invalid name': { params: { id: 'a b' } },
  }),
  {
    route: 'POST /api/admin/feedback',
    name: 'is returned to its user afterwards',
    as: 'anonymous',
    given: by({ body: { feedbackId: 'pnps' } }),
    answer: { feedbackId: 'pnps', neverShow: false, given: expect.any(String) },
    check: async ({ json }, server) => expect((await kept(server)).feedback).toEqual([json]),
  },
  {
    route: 'PUT /api/admin/feedback/:id',
    name: 'updates the state of the caller only',
    as: 'anonymous',
    given: by({ params: { id: 'pnps' }, body: { userId: 1, neverShow: true, given: '2026-01-31T12:00:00Z' } }),
    answer: { feedbackId: 'pnps', neverShow: true, given: '2026-01-31T12:00:00.000Z' },
    check: async ({ json }, server) => {
      const { user, feedback } = await kept(server);
      expect(feedback).toEqual([json]);
      expect(json.userId).toBe(user.id);
    },
  },
  ...refused('PUT /api/admin/feedback/:id', 400, {
    'refuses an invalid time': { params: { id: 'pnps' }, body: { given: 'soon' } },
  }),
  { route: 'POST /feedback', name: 'stores feedback', as: 'viewer', call: { body: said }, answer: said },
  {
    route: 'GET /api/admin/feedback',
    name: 'lists feedback for an administrator',
    check: ({ json }) => expect(json).toMatchObject([said]),
  },
  {
    route: 'POST /api/admin/record-ui-error',
    name: 'writes the error to the log',
    as: 'viewer',
    call: { body: { errorMessage: 'x is not a function', errorStack: 'at y' } },
    check: (_reply, server) => {
      const line = server.logged.find((each) => each.includes('x is not a function')) ?? '';
      expect(JSON.parse(line)).toMatchObject({ level: 40, stack: 'at y', requestId: expect.any(String) });
    },
  },
  {
    route: 'GET /api/admin/telemetry/settings',
    name: 'returns that no telemetry is collected',
    as: 'viewer',
    answer: { versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false },
  },
];
