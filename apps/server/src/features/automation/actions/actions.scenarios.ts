import { expect } from 'vitest';
import {
  type ActionPlace,
  expecting,
  type GivenSet,
  givenActionPlace,
  givenSet,
  setBody,
  signal,
  turning,
} from '#testing/actions.ts';
import { type ExpectedEvent, refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { historyScenarios } from './history.scenarios.ts';
import { mergeScenarios } from './merge.scenarios.ts';
import { refusedSets } from './refused.scenarios.ts';
import { runScenarios } from './run.scenarios.ts';

const list = 'GET /api/admin/projects/:projectId/actions';
const create = 'POST /api/admin/projects/:projectId/actions';
const config = 'GET /api/admin/projects/:projectId/actions/config';
const update = 'PUT /api/admin/projects/:projectId/actions/:id';
const remove = 'DELETE /api/admin/projects/:projectId/actions/:id';
const on = 'POST /api/admin/projects/:projectId/actions/:id/on';
const off = 'POST /api/admin/projects/:projectId/actions/:id/off';
const history = 'GET /api/admin/projects/:projectId/actions/:actionSetId/events';

const paramsOf = ({ projectId, id }: GivenSet) => ({ projectId, id, actionSetId: id });
const known = async (server: TestServer) => ({ params: paramsOf(await givenSet(server)) });
const disabled = async (server: TestServer) => ({ params: paramsOf(await givenSet(server, { enabled: false })) });
const named = (set: GivenSet, more: object) => ({
  params: paramsOf(set),
  body: setBody(set, { name: 'same', ...more }),
});

const created = (server: TestServer, more: (place: ActionPlace) => object) =>
  givenActionPlace(server).then((place) => ({
    params: { projectId: place.projectId },
    body: setBody(place, more(place)),
  }));

const onSilence = ({ endpoint }: ActionPlace) => ({
  match: { source: 'signal-endpoint', sourceId: endpoint.id, trigger: 'silence', payload: {} },
});

const enabledEvent = (enabled: boolean): ExpectedEvent => ({
  type: 'actions-updated',
  project: expect.any(String),
  preData: { enabled: !enabled },
  data: { enabled },
});

const filters = {
  'alerts[0].labels.severity': { operator: 'IN', values: ['critical', 'page'] },
  status: { operator: 'STR_STARTS_WITH', values: ['FIR'], caseInsensitive: true, inverted: false },
};

/** Deletes the service account and the endpoint that a disabled set refers to. */
async function deleteReferred(server: TestServer, { actorId, endpoint }: GivenSet): Promise<void> {
  await server.admin.call('DELETE /api/admin/service-account/:id', { params: { id: actorId } });
  await server.admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: endpoint.id } });
}

const naming: readonly Scenario[] = [
  {
    route: list,
    name: 'names the service account and the endpoint of each set to readers',
    as: 'editor',
    given: known,
    answer: {
      actions: [{ actorName: expect.stringMatching(/^caller-/), sourceName: expect.stringMatching(/^endpoint-/) }],
    },
  },
  {
    route: list,
    name: 'has no names of a service account and an endpoint that are deleted',
    given: async (server) => {
      const set = await givenSet(server, { enabled: false });
      await deleteReferred(server, set);
      return { params: paramsOf(set) };
    },
    answer: { actions: [{ actorName: null, sourceName: null }] },
  },
];

const saving: readonly Scenario[] = [
  {
    route: create,
    name: 'creates a set that holds a flag off while an alert fires',
    isExample: true,
    given: (server) =>
      created(server, ({ projectId: project, endpoint, flag }) => ({
        match: {
          source: 'signal-endpoint',
          sourceId: endpoint.id,
          forEach: 'alerts',
          payload: { 'item.status': { operator: 'IN', values: ['firing'] } },
          release: { 'item.status': { operator: 'IN', values: ['resolved'] } },
        },
        actions: [
          {
            action: 'HOLD_FEATURE',
            sortOrder: 1,
            executionParams: {
              project,
              environment: 'development',
              featureName: flag.featureName,
              effect: 'off',
              reason: 'Alert {{item.labels.alertname}}',
            },
          },
        ],
      })),
    answer: { enabled: true, match: { forEach: 'alerts' } },
    events: [{ type: 'actions-created' }],
  },
  {
    route: create,
    name: 'creates an enabled set with its actions in order',
    given: (server) =>
      created(server, ({ projectId, endpoint, flag }) => ({
        name: ' Kill switch ',
        description: 'Switches checkout off',
        match: { source: 'signal-endpoint', sourceId: endpoint.id, payload: filters },
        actions: [turning('OFF', projectId, flag.featureName, 2), turning('ON', projectId, flag.featureName, 1)],
      })),
    answer: {
      id: expect.any(Number),
      name: 'Kill switch',
      description: 'Switches checkout off',
      enabled: true,
      match: { source: 'signal-endpoint', payload: filters, forEach: null },
      actions: [
        { id: expect.any(Number), action: 'TOGGLE_FEATURE_ON', sortOrder: 1, createdAt: expect.any(String) },
        { action: 'TOGGLE_FEATURE_OFF', sortOrder: 2, createdByUserId: expect.any(Number) },
      ],
      allow: null,
      guards: {},
      shadow: false,
    },
    events: [
      {
        type: 'actions-created',
        project: expect.stringMatching(/^project-/),
        preData: null,
        data: {
          name: 'Kill switch',
          enabled: true,
          actions: [
            { action: 'TOGGLE_FEATURE_ON', sortOrder: 1 },
            { action: 'TOGGLE_FEATURE_OFF', sortOrder: 2 },
          ],
        },
      },
    ],
  },
  {
    route: create,
    name: 'creates a set that silence of an endpoint triggers',
    given: async (server) => {
      const place = await expecting(server, await givenActionPlace(server));
      return { params: { projectId: place.projectId }, body: setBody(place, onSilence(place)) };
    },
    answer: { match: { trigger: 'silence', payload: {}, release: null, forEach: null } },
    events: [{ type: 'actions-created', data: { match: { trigger: 'silence' } } }],
  },
  {
    route: update,
    name: 'keeps the trigger that the request omits',
    given: async (server) => {
      const place = await expecting(server, await givenActionPlace(server));
      const set = await givenSet(server, onSilence(place), place);
      return { params: paramsOf(set), body: setBody(set, { enabled: false }) };
    },
    answer: { enabled: false, match: { trigger: 'silence' } },
    events: [{ type: 'actions-updated', data: { match: { trigger: 'silence' } } }],
  },
  ...refused(on, 409, {
    'answers 409 when the signal endpoint of the set was deleted': async (server) => {
      const set = await givenSet(server, { enabled: false });
      const { id } = set.endpoint;
      const deleted = await server.admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id } });
      expect(deleted.status).toBe(200);
      return { params: paramsOf(set) };
    },
    'refuses a set that silence triggers when its endpoint expects no signals': async (server) => {
      const place = await expecting(server, await givenActionPlace(server));
      const set = await givenSet(server, { ...onSilence(place), enabled: false }, place);
      const { id, name } = place.endpoint;
      const body = { name, expectedMinutes: null };
      await server.admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
      return { params: paramsOf(set) };
    },
  }),
  ...refused(create, 409, {
    'refuses a name that another set of the project has': async (server) =>
      named(await givenSet(server, { name: 'same' }), {}),
  }),
  {
    route: update,
    name: 'updates a set and keeps the fields that the request omits',
    given: async (server) => {
      const set = await givenSet(server, { guards: { cooldownSeconds: 60 }, description: 'before' });
      return { params: paramsOf(set), body: setBody(set, { name: 'renamed', enabled: false }) };
    },
    answer: { name: 'renamed', description: 'before', enabled: false, guards: { cooldownSeconds: 60 } },
    events: [{ type: 'actions-updated', preData: { enabled: true }, data: { name: 'renamed', enabled: false } }],
  },
  ...refused(update, 409, {
    'refuses the name of another set': async (server) => {
      const first = await givenSet(server, { name: 'same' });
      return named(await givenSet(server, {}, first), {});
    },
  }),
  ...refused(update, 400, {
    'refuses a set that could not run': async (server) => {
      const set = await givenSet(server);
      return { params: paramsOf(set), body: setBody(set, { actorId: 99_999 }) };
    },
  }),
  {
    route: remove,
    name: 'deletes a set',
    given: known,
    events: [{ type: 'actions-deleted', project: expect.any(String), preData: { enabled: true }, data: null }],
  },
  {
    route: on,
    name: 'enables a set',
    given: disabled,
    answer: { enabled: true },
    events: [enabledEvent(true)],
  },
  {
    route: on,
    name: 'does nothing when the set is already enabled',
    given: known,
    answer: { enabled: true },
  },
  {
    route: off,
    name: 'disables a set',
    given: known,
    answer: { enabled: false },
    events: [enabledEvent(false)],
  },
];

const reading: readonly Scenario[] = [
  {
    route: list,
    name: 'lists only the sets of the project',
    given: async (server) => {
      await givenSet(server);
      const { projectId } = await givenSet(server, { name: 'listed' });
      return { params: { projectId } };
    },
    check: ({ json }) => expect(json.actions).toMatchObject([{ name: 'listed' }]),
  },
  {
    route: config,
    name: 'describes the action kinds and the names that parameters may use',
    given: async (server) => {
      const { projectId, flag } = await givenActionPlace(server);
      const tag = { type: 'simple', value: 'payments' };
      await server.admin.call('POST /api/admin/features/:featureName/tags', { params: flag, body: tag });
      return { params: { projectId } };
    },
    check: ({ json }) => {
      expect(json.TOGGLE_FEATURE_ON).toMatchObject({
        permissions: ['UPDATE_FEATURE_ENVIRONMENT'],
        parameters: [
          { name: 'project', type: 'hidden', optional: false },
          { name: 'environment', type: 'select', options: ['development', 'production'] },
          { name: 'featureName', options: [expect.stringMatching(/^flag-/)] },
        ],
      });
      expect(json.TOGGLE_FEATURES_OFF_BY_TAG.parameters[2]).toMatchObject({
        name: 'tag',
        options: ['simple:payments'],
      });
      expect(json.CALL_URL.parameters).toContainEqual(expect.objectContaining({ name: 'headers', secret: true }));
    },
  },
  {
    route: history,
    name: 'lists the runs of a set, newest first',
    given: async (server) => {
      const set = await givenSet(server);
      await signal(server, set, { n: 1 });
      await signal(server, set, { n: 2 });
      return { params: paramsOf(set) };
    },
    check: ({ json }) => {
      expect(json.actionSetEvents).toMatchObject([
        { signal: { payload: { n: 2 } } },
        { signal: { payload: { n: 1 } } },
      ]);
    },
  },
];

/** Scenarios of action sets (docs/spec#action-sets). */
export const actionScenarios: readonly Scenario[] = [
  ...naming,
  ...saving,
  ...refusedSets,
  ...reading,
  ...runScenarios,
  ...historyScenarios,
  ...mergeScenarios,
];
