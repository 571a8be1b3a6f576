import { expect } from 'vitest';
import { type ActionPlace, calling, givenActionPlace, givenSet } from '../../../testing/actions.ts';
import { freshName } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';

const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';
const read = 'GET /api/admin/state';
const list = 'GET /api/admin/projects/:projectId/actions';
const secret = '{"Authorization": "Bearer of-a-secret"}';

/** A state with sets of actions of one project. */
function holding(project: string, actions: object, more: object = {}) {
  return { state: { version: 1, projects: { [project]: { actions, ...more } } } };
}

/** What a set of that place is like as state: an alert holds its flag off and calls somebody. */
async function whole(server: TestServer, { endpoint, actorId, flag }: ActionPlace, more: object = {}) {
  const { json } = await server.admin.call('GET /api/admin/service-account');
  const { username } = json.serviceAccounts.find(({ id }: { id: number }) => id === actorId);
  const where = { environment: 'development', featureName: flag.featureName };
  return {
    serviceAccount: username,
    when: { endpoint: endpoint.name, filters: { status: { operator: 'IN', values: ['firing'] } } },
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

const refusals: readonly { name: string; more: object; told: RegExp }[] = [
  {
    name: 'an endpoint that there is not',
    more: { when: { endpoint: 'nowhere' } },
    told: /when\.endpoint there is no signal/,
  },
  {
    name: 'an account that there is not',
    more: { serviceAccount: 'nobody' },
    told: /serviceAccount there is no service/,
  },
  { name: 'no endpoint for what is new', more: { when: {} }, told: /when\.endpoint is needed/ },
  { name: 'no actions for what is new', more: { do: undefined }, told: /do is needed/ },
  {
    name: 'a flag that there will not be',
    more: { do: [{ action: 'MARK_STALE', parameters: { featureName: 'no-flag' } }] },
    told: /do\.0\.parameters\.featureName must be a flag/,
  },
  { name: 'an action that there is not', more: { do: [{ action: 'MAKE_TEA' }] }, told: /do\.0\.action must be one of/ },
  {
    name: 'a secret that is not there yet',
    more: { do: [{ action: 'CALL_URL', parameters: { method: 'POST', url: 'https://8.8.8.8/', headers: '*****' } }] },
    told: /do\.0\.parameters\.headers must be sent/,
  },
  {
    name: 'to call a private address',
    more: { do: [{ action: 'CALL_URL', parameters: { method: 'POST', url: 'http://127.0.0.1/' } }] },
    told: /do\.0\.parameters\.url must not lead to a private/,
  },
];

/** Sets of actions as code. */
export const actionStateScenarios: readonly Scenario[] = [
  {
    route: apply,
    name: 'creates a set of actions on a flag that is created with it, and changes nothing the second time',
    given: async (server) => {
      const { project, set } = await given(server);
      const name = freshName('flag');
      const mark = { action: 'MARK_STALE', parameters: { featureName: name } };
      return {
        body: holding(project, { 'Kill switch': { ...set, do: [...set.do, mark] } }, { flags: { [name]: {} } }),
      };
    },
    status: 200,
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
    name: 'changes of a set what is named, and leaves the rest, its id and its secrets',
    given: async (server) => {
      const { project, set } = await given(server);
      await server.admin.call(apply, { body: holding(project, { one: set }) });
      const [, call] = set.do;
      const headers = { ...call?.parameters, headers: '*****' };
      const steps = [set.do[0], { action: 'CALL_URL', parameters: headers }];
      return { body: holding(project, { one: { shadow: true, description: 'Mine', do: steps } }) };
    },
    status: 200,
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
    name: 'changes a secret, of which it says no more than that',
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
    status: 200,
    answer: { changes: [{ fields: [{ field: 'secrets', before: '*****', after: '*****' }] }] },
    events: [{ type: 'actions-updated' }],
  },
  {
    route: apply,
    name: 'disables with prune the sets that a project which names any has besides',
    given: async (server) => {
      const { place, project, set } = await given(server);
      await givenSet(server, { name: 'left over' }, place);
      await givenSet(server, { name: 'off already', enabled: false }, place);
      const flags = { [place.flag.featureName]: {} };
      return { body: { ...holding(project, { one: set }, { flags }), prune: true } };
    },
    status: 200,
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
    name: 'leaves the sets of a project that names none, with prune too',
    given: async (server) => {
      const { projectId, flag } = await givenSet(server);
      const state = { version: 1, projects: { [projectId]: { flags: { [flag.featureName]: {} } } } };
      return { body: { state, prune: true } };
    },
    status: 200,
    answer: { changes: [] },
  },
  ...refusals.map(
    ({ name, more, told }): Scenario => ({
      route: apply,
      name: `refuses ${name}`,
      given: async (server) => {
        const { project, set } = await given(server, more);
        return { body: holding(project, { one: set }) };
      },
      status: 400,
      check: ({ json }) => expect(json.details.map((one: { message: string }) => one.message).join('\n')).toMatch(told),
    }),
  ),
  {
    route: apply,
    name: 'refuses more sets of actions than there may be',
    given: async (server) => {
      const { project, set } = await given(server);
      const names = Array.from({ length: 6 }, (_, n) => [`set ${n}`, set]);
      return { body: holding(project, Object.fromEntries(names)) };
    },
    status: 400,
    answer: { details: [{ path: expect.stringMatching(/^projects\.project-.*\.actions$/) }] },
  },
  {
    route: plan,
    name: 'tells an editor that sets of actions are not theirs, and nothing of them',
    as: 'editor',
    given: async (server) => {
      const { place, project } = await given(server);
      const actions = [calling(place, 'https://8.8.8.8/of-a-secret')];
      await givenSet(server, { name: 'one', actions }, place);
      return { body: holding(project, { one: { enabled: false } }) };
    },
    status: 200,
    answer: { changes: [], permissions: [{ names: ['one'], message: expect.stringContaining('ADMIN') }] },
  },
  {
    route: apply,
    name: 'refuses an editor to change sets of actions',
    as: 'editor',
    given: async (server) => {
      const { project, set } = await given(server);
      return { body: holding(project, { one: set }) };
    },
    status: 403,
    answer: { permissions: ['ADMIN'] },
  },
  ...([plan, apply] as const).map(
    (route): Scenario => ({
      route,
      name: 'does not tell an editor whether an address is a private one',
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
    name: 'does not tell an editor of sets of actions',
    as: 'editor',
    given: async (server) => ({ query: { projects: (await givenSet(server)).projectId } }),
    status: 200,
    check: ({ text }) => expect(text).not.toContain('TOGGLE_FEATURE'),
  },
  {
    route: read,
    name: 'leaves out what a set names that is gone, and keeps it when that is applied',
    given: async (server) => {
      const place = await givenActionPlace(server);
      await givenSet(server, {}, place);
      await server.admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: place.endpoint.id } });
      return { query: { projects: place.projectId } };
    },
    status: 200,
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
