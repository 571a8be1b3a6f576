import { expect } from 'vitest';
import { type ActionPlace, calling, expecting, givenActionPlace, givenSet } from '#testing/actions.ts';
import { freshName } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';
const read = 'GET /api/admin/state';
const list = 'GET /api/admin/projects/:projectId/actions';
const secret = '{"Authorization": "Bearer of-a-secret"}';

/** Returns a state with action sets of a project. */
function holding(project: string, actions: object, more: object = {}) {
  return { state: { version: 1, projects: { [project]: { actions, ...more } } } };
}

/** Returns an action set as state: an alert holds its flag off and calls a URL. */
async function whole(server: TestServer, { endpoint, actorId, flag }: ActionPlace, more: object = {}) {
  const { json } = await server.admin.call('GET /api/admin/service-account');
  const { username } = json.serviceAccounts.find(({ id }: { id: number }) => id === actorId);
  const where = { environment: 'development', featureName: flag.featureName };
  return {
    serviceAccount: username,
    when: {
      endpoint: endpoint.name,
      filters: { status: { operator: 'IN', values: ['firing'] } },
      release: { status: { operator: 'IN', values: ['resolved'] } },
    },
    do: [
      { action: 'HOLD_FEATURE', parameters: { ...where, effect: 'off' } },
      { action: 'CALL_URL', parameters: { method: 'POST', url: 'https://8.8.8.8/{{status}}', headers: secret } },
    ],
    guards: { cooldownSeconds: 60 },
    ...more,
  };
}

async function given(server: TestServer, more: object = {}) {
  const place = await givenActionPlace(server);
  return { place, project: place.projectId, set: await whole(server, place, more) };
}

/** Returns a function that returns the body of a state with an action set that has these fields. */
const setWith = (more: object) => async (server: TestServer) => {
  const { project, set } = await given(server, more);
  return { body: holding(project, { one: set }) };
};

/** Scenarios of action sets in state files. */
export const actionStateScenarios: readonly Scenario[] = [
  {
    route: apply,
    name: 'creates an action set together with its flag, and changes nothing the second time',
    given: async (server) => {
      const { project, set } = await given(server);
      const name = freshName('flag');
      const mark = { action: 'MARK_STALE', parameters: { featureName: name } };
      return {
        body: holding(project, { 'Kill switch': { ...set, do: [...set.do, mark] } }, { flags: { [name]: {} } }),
      };
    },
    answer: {
      changes: [
        { type: 'feature-created' },
        {
          type: 'actions-created',
          kind: 'action-set',
          name: 'Kill switch',
          fields: expect.arrayContaining([{ field: 'when.endpoint', after: expect.any(String) }]),
        },
      ],
    },
    events: [
      { type: 'feature-created' },
      { type: 'actions-created', data: { name: 'Kill switch', enabled: true, guards: { cooldownSeconds: 60 } } },
    ],
    check: async ({ text, json }, server) => {
      expect(text).not.toContain('of-a-secret');
      const { project } = json.changes[1];
      const state = (await server.admin.call(read, { query: { projects: project } })).json;
      expect(JSON.stringify(state)).not.toContain('of-a-secret');
      const again = await server.admin.call(plan, { body: { state, prune: true } });
      expect(again.json).toMatchObject({ changes: [], errors: [] });
    },
  },
  {
    route: apply,
    name: 'creates an action set that silence triggers, and changes nothing the second time',
    given: async (server) => {
      const { place, project, set } = await given(server);
      await expecting(server, place);
      const when = { endpoint: place.endpoint.name, trigger: 'silence' };
      const [hold] = set.do;
      return { body: holding(project, { 'Watchdog silent': { ...set, when, do: [hold] } }) };
    },
    answer: { changes: [{ type: 'actions-created', name: 'Watchdog silent' }] },
    events: [{ type: 'actions-created', data: { match: { trigger: 'silence' } } }],
    check: async ({ json }, server) => {
      const { project } = json.changes[0];
      const state = (await server.admin.call(read, { query: { projects: project } })).json;
      expect(state.projects[project].actions['Watchdog silent'].when.trigger).toBe('silence');
      const again = await server.admin.call(plan, { body: { state, prune: true } });
      expect(again.json).toMatchObject({ changes: [], errors: [] });
    },
  },
  {
    route: apply,
    name: 'changes only the named fields of a set and keeps its id and secrets',
    given: async (server) => {
      const { project, set } = await given(server);
      await server.admin.call(apply, { body: holding(project, { one: set }) });
      const [, call] = set.do;
      const headers = { ...call?.parameters, headers: '*****' };
      const steps = [set.do[0], { action: 'CALL_URL', parameters: headers }];
      return { body: holding(project, { one: { shadow: true, description: 'Mine', do: steps } }) };
    },
    answer: {
      changes: [
        {
          type: 'actions-updated',
          fields: [
            { field: 'description', after: 'Mine' },
            { field: 'shadow', after: true },
          ],
        },
      ],
    },
    events: [{ type: 'actions-updated', preData: { shadow: false }, data: { shadow: true, description: 'Mine' } }],
  },
  {
    route: apply,
    name: 'changes a secret without showing its value',
    given: async (server) => {
      const { project, set } = await given(server);
      await server.admin.call(apply, { body: holding(project, { one: set }) });
      const [hold, call] = set.do;
      const other = {
        action: 'CALL_URL',
        parameters: { ...call?.parameters, headers: '{"Authorization": "another"}' },
      };
      return { body: holding(project, { one: { do: [hold, other] } }) };
    },
    answer: { changes: [{ fields: [{ field: 'secrets', before: '*****', after: '*****' }] }] },
    events: [{ type: 'actions-updated' }],
  },
  {
    route: apply,
    name: 'disables unnamed sets with prune in a project that names sets',
    given: async (server) => {
      const { place, project, set } = await given(server);
      await givenSet(server, { name: 'left over' }, place);
      await givenSet(server, { name: 'off already', enabled: false }, place);
      const flags = { [place.flag.featureName]: {} };
      return { body: { ...holding(project, { one: set }, { flags }), prune: true } };
    },
    answer: {
      changes: [
        { type: 'actions-created', name: 'one' },
        { type: 'actions-updated', name: 'left over', fields: [{ field: 'enabled', before: true, after: false }] },
      ],
    },
    events: [{ type: 'actions-created' }, { type: 'actions-updated', data: { name: 'left over', enabled: false } }],
  },
  {
    route: apply,
    name: 'keeps the sets of a project that names none, even with prune',
    given: async (server) => {
      const { projectId, flag } = await givenSet(server);
      const state = { version: 1, projects: { [projectId]: { flags: { [flag.featureName]: {} } } } };
      return { body: { state, prune: true } };
    },
    answer: { changes: [] },
  },
  ...refused(apply, 400, {
    'refuses an unknown endpoint': setWith({ when: { endpoint: 'nowhere' } }),
    'refuses an unknown service account': setWith({ serviceAccount: 'nobody' }),
    'refuses a new set without an endpoint': setWith({ when: {} }),
    'refuses a new set without actions': setWith({ do: undefined }),
    'refuses a flag that will not exist': setWith({
      do: [{ action: 'MARK_STALE', parameters: { featureName: 'no-flag' } }],
    }),
    'refuses an unknown action kind': setWith({ do: [{ action: 'MAKE_TEA' }] }),
    'refuses a masked secret without a stored value': setWith({
      do: [{ action: 'CALL_URL', parameters: { method: 'POST', url: 'https://8.8.8.8/', headers: '*****' } }],
    }),
    'refuses an action that calls a private address': setWith({
      do: [{ action: 'CALL_URL', parameters: { method: 'POST', url: 'http://127.0.0.1/' } }],
    }),
  }),
  ...[' padded ', 'two\nlines'].map(
    (name): Scenario => ({
      route: apply,
      name: `refuses an action set with a name that no other route would store: ${JSON.stringify(name)}`,
      given: async (server) => {
        const { project, set } = await given(server);
        return { body: holding(project, { [name]: set }) };
      },
      status: 400,
    }),
  ),
  ...refused(apply, 400, {
    'refuses more action sets than the limit': async (server) => {
      const { project, set } = await given(server);
      const names = Array.from({ length: 6 }, (_, n) => [`set ${n}`, set]);
      return { body: holding(project, Object.fromEntries(names)) };
    },
  }),
  {
    route: plan,
    name: 'tells an editor only that action sets need ADMIN',
    as: 'editor',
    given: async (server) => {
      const { place, project } = await given(server);
      const actions = [calling(place, 'https://8.8.8.8/of-a-secret')];
      await givenSet(server, { name: 'one', actions }, place);
      return { body: holding(project, { one: { enabled: false } }) };
    },
    answer: { changes: [], permissions: [{ names: ['one'], message: expect.stringContaining('ADMIN') }] },
  },
  {
    route: apply,
    name: 'refuses changes of action sets by an editor',
    as: 'editor',
    given: setWith({}),
    status: 403,
    answer: { permissions: ['ADMIN'] },
  },
  ...([plan, apply] as const).map(
    (route): Scenario => ({
      route,
      name: 'does not reveal to an editor whether an address is private',
      as: 'editor',
      given: async (server) => {
        const parameters = { method: 'POST', url: 'http://127.0.0.1/' };
        const { project, set } = await given(server, { do: [{ action: 'CALL_URL', parameters }] });
        return { body: holding(project, { one: set }) };
      },
      status: route === plan ? 200 : 403,
      check: ({ text }) => {
        expect(text).toContain('ADMIN');
        expect(text).not.toContain('private');
      },
    }),
  ),
  {
    route: read,
    name: 'does not show action sets to an editor',
    as: 'editor',
    given: async (server) => ({ query: { projects: (await givenSet(server)).projectId } }),
    check: ({ text }) => expect(text).not.toContain('TOGGLE_FEATURE'),
  },
  {
    route: read,
    name: 'leaves out a deleted endpoint or account of a set, and keeps the set unchanged when applied',
    given: async (server) => {
      const place = await givenActionPlace(server);
      await givenSet(server, { enabled: false }, place);
      await server.admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: place.endpoint.id } });
      return { query: { projects: place.projectId } };
    },
    check: async ({ json }, server) => {
      const [[projectId, { actions }]] = Object.entries(json.projects) as [[string, { actions: object }]];
      expect(Object.values(actions)).toMatchObject([{ when: { filters: {} }, do: [{ action: 'TOGGLE_FEATURE_ON' }] }]);
      expect(JSON.stringify(actions)).not.toContain('endpoint');
      expect((await server.admin.call(list, { params: { projectId } })).json.actions).toHaveLength(1);
      const planned = await server.admin.call(plan, { body: { state: json } });
      expect(planned.json).toMatchObject({ changes: [], errors: [] });
    },
  },
];
