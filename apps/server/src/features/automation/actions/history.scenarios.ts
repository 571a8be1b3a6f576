import { expect } from 'vitest';
import { givenActionPlace, givenRun, givenSet, runsOf, signal, turning } from '#testing/actions.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const all = 'GET /api/admin/actions';
const list = 'GET /api/admin/action-runs';
const ofSet = 'GET /api/admin/projects/:projectId/actions/:actionSetId/events';
const detail = 'GET /api/admin/action-runs/:runId';
const dryRun = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back/rehearse';
const takeBack = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back';
const ofEndpoint = 'GET /api/admin/signal-endpoints/:signalEndpointId/actions';
const remove = 'DELETE /api/admin/projects/:projectId/actions/:id';

const firing = { 'item.status': { operator: 'IN', values: ['firing'] } };
const alerts = { alerts: [{ status: 'resolved' }, { status: 'firing' }, { status: 'firing' }] };

/** Creates a set that has run on two of three alerts; returns the later run. */
async function ranOnAlerts(server: TestServer) {
  const place = await givenSet(server, { enabled: false });
  const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload: firing, forEach: 'alerts' };
  const set = await givenSet(server, { name: 'For each alert', match }, place);
  const signalId = await signal(server, set, alerts);
  const [run] = await runsOf(server, set);
  return { set, signalId, runId: run.id as number };
}

/** Causes a failed run, because the payload lacks the flag name; returns the signal. */
async function failOnSignal(server: TestServer): Promise<number> {
  const place = await givenActionPlace(server);
  const { projectId, flag } = place;
  const action = turning('ON', projectId, flag.featureName);
  const executionParams = { ...action.executionParams, featureName: '{{flag}}' };
  const allow = { flags: ['*'], tags: [], environments: [] };
  return signal(server, await givenSet(server, { actions: [{ ...action, executionParams }], allow }, place));
}

/** Scenarios of the history of runs, of trials of taking a run back, and of the sets of an endpoint. */
export const historyScenarios: readonly Scenario[] = [
  {
    route: all,
    name: 'lists the sets of all projects with their last runs',
    given: async (server) => {
      await ranOnAlerts(server);
      return {};
    },
    check: ({ json }) => {
      expect(json.total).toBe(json.actions.length);
      expect(json.actions).toContainEqual(
        expect.objectContaining({
          name: 'For each alert',
          enabled: true,
          lastRun: expect.objectContaining({ state: 'success', trigger: 'signal', shadow: false }),
        }),
      );
      expect(json.actions).toContainEqual(expect.objectContaining({ enabled: false, lastRun: null }));
    },
  },
  {
    route: all,
    name: 'lists none for callers without READ_ACTIONS',
    as: 'viewer',
    given: async (server) => {
      await givenSet(server);
      return {};
    },
    answer: { actions: [], total: 0 },
  },
  {
    route: list,
    name: 'lists the runs of a signal',
    given: async (server) => {
      await givenRun(server);
      const { signalId } = await ranOnAlerts(server);
      return { query: { signal: `IS:${signalId}` } };
    },
    check: ({ json }) =>
      expect(json.runs).toMatchObject([
        { name: 'For each alert', element: 2, state: 'success', trigger: 'signal', takesBackRunId: null },
        { name: 'For each alert', element: 1, project: expect.stringMatching(/^project-/) },
      ]),
  },
  {
    route: list,
    name: 'lists the runs of all sets, newest first, in pages',
    given: async (server) => {
      await ranOnAlerts(server);
      return { query: { limit: '1', offset: '1' } };
    },
    check: ({ json }) => expect(json.runs).toMatchObject([{ element: 1 }]),
  },
  {
    route: list,
    name: 'lists only the runs in a state',
    given: async (server) => {
      const { signalId } = await ranOnAlerts(server);
      return { query: { state: 'failed', signal: `IS_ANY_OF:${signalId},${await failOnSignal(server)}` } };
    },
    check: ({ json }) => expect(json.runs.map(({ state }: { state: string }) => state)).toEqual(['failed']),
  },
  {
    route: ofSet,
    name: 'lists only the runs of the set in a state',
    given: async (server) => {
      const { set } = await ranOnAlerts(server);
      return { params: { projectId: set.projectId, actionSetId: set.id }, query: { state: 'failed' } };
    },
    check: ({ json }) => expect(json.actionSetEvents).toEqual([]),
  },
  ...refused(ofSet, 400, {
    'refuses an unknown state': async (server) => {
      const { set } = await ranOnAlerts(server);
      return { params: { projectId: set.projectId, actionSetId: set.id }, query: { state: 'faild' } };
    },
  }),
  ...refused(list, 400, {
    'refuses an unknown state': { query: { state: 'faild' } },
    'refuses an invalid signal id': { query: { signal: 'IS:first' } },
  }),
  {
    route: list,
    name: 'lists no runs for a viewer, who may not read actions',
    as: 'viewer',
    given: async (server) => {
      await givenRun(server);
      return {};
    },
    check: ({ json }) => expect(json.runs).toEqual([]),
  },
  {
    route: detail,
    name: 'shows a run with its filter results, sibling runs and events',
    given: async (server) => ({ params: { runId: (await ranOnAlerts(server)).runId } }),
    answer: {
      element: 2,
      setIsThere: true,
      actorName: expect.stringMatching(/^caller-/),
      takenBackByRunId: null,
      views: [
        { element: 0, matches: false, filters: [{ path: 'item.status', found: 'resolved', passes: false }] },
        { element: 1, matches: true, filters: [{ found: 'firing', passes: true }] },
        { element: 2, matches: true },
      ],
      siblings: [{ element: 1 }, { element: 2 }],
      // The first run already turned the flag on.
      actionSet: { actions: [{ state: 'success', changes: [] }] },
      events: [],
    },
  },
  {
    route: detail,
    name: 'lists the events of a run that changed a flag',
    given: async (server) => {
      const { params } = await givenRun(server);
      return { params: { runId: params.runId } };
    },
    answer: {
      views: [{ element: null, matches: true, filters: [] }],
      actionSet: { actions: [{ changes: [{ label: 'Flag strategy added' }, { label: 'Flag enabled' }] }] },
      events: [
        { type: 'feature-strategy-add', environment: 'development' },
        { label: 'Flag enabled', featureName: expect.stringMatching(/^flag-/), createdBy: expect.any(String) },
      ],
    },
  },
  {
    route: detail,
    name: 'shows that a run was taken back and that its set was deleted',
    given: async (server) => {
      const { set, params } = await givenRun(server);
      await server.admin.call(takeBack, { params });
      await server.admin.call(remove, { params: { projectId: set.projectId, id: set.id } });
      return { params: { runId: params.runId } };
    },
    answer: {
      setIsThere: false,
      takenBackByRunId: expect.any(Number),
      siblings: [{ trigger: 'signal' }, { trigger: 'take-back' }],
    },
  },
  ...refusedTo('viewer', detail, 404, {
    'answers 404 to a viewer': async (server) => ({ params: { runId: (await givenRun(server)).params.runId } }),
  }),
  {
    route: dryRun,
    name: 'shows the changes of taking a run back without making them',
    given: async (server) => ({ params: (await givenRun(server)).params }),
    answer: {
      changes: [
        { type: 'feature-environment-disabled', label: 'Flag disabled' },
        { type: 'feature-strategy-remove', environment: 'development' },
      ],
      refused: null,
    },
    check: async ({ json }, server) => {
      const { featureName } = json.changes[0];
      const states = await server.admin.call('GET /api/admin/search/events', {
        query: { feature: `IS:${featureName}` },
      });
      expect(states.json.events[0].type).toBe('feature-environment-enabled');
    },
  },
  {
    route: dryRun,
    name: 'shows why taking back would be refused',
    given: async (server) => ({ params: (await givenRun(server, { shadow: true })).params }),
    answer: { changes: [], refused: 'This run changed nothing that can be taken back.' },
  },
  {
    route: ofEndpoint,
    name: 'lists the sets of all projects for the endpoint, including disabled sets',
    given: async (server) => {
      const set = await givenSet(server, { name: 'First' });
      await givenSet(server);
      const other = await givenSet(server, { enabled: false });
      await givenSet(server, { name: 'Second', enabled: false }, { ...other, endpoint: set.endpoint });
      return { params: { signalEndpointId: set.endpoint.id } };
    },
    check: ({ json }) => {
      expect(json.actions).toMatchObject([{ name: 'First' }, { name: 'Second', enabled: false }]);
      expect(json.actions[0].project).not.toBe(json.actions[1].project);
    },
  },
];
