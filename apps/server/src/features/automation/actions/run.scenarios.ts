import { expect } from 'vitest';
import { givenCase, kindCases } from '#testing/action-kinds.ts';
import { calling, type GivenSet, givenActionPlace, givenRun, givenSet, setBody, signal } from '#testing/actions.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { takeBackScenarios } from './take-back.scenarios.ts';
import { undecidedScenarios } from './undecided.scenarios.ts';

const runPath = 'GET /api/admin/projects/:projectId/actions/:actionSetId/events/:runId';
const replay = 'POST /api/admin/projects/:projectId/actions/:actionSetId/replay';
const dryRun = 'POST /api/admin/projects/:projectId/actions/rehearse';
const backtest = 'POST /api/admin/projects/:projectId/actions/backtest';
const matchPreview = 'POST /api/admin/signal-endpoints/:id/match-preview';
const paramsOf = ({ projectId, id }: GivenSet) => ({ projectId, actionSetId: id });

const runs: readonly Scenario[] = [
  {
    route: runPath,
    name: 'shows a run',
    given: async (server) => ({ params: (await givenRun(server)).params }),
    answer: { state: 'success', trigger: 'signal', takesBackRunId: null, signal: { payload: {} } },
  },
];

const replays: readonly Scenario[] = [
  ...kindCases.map(
    (kind): Scenario => ({
      route: replay,
      name: kind.name,
      given: async (server) => {
        const { place, actions } = await givenCase(server, kind);
        const signalId = await signal(server, place);
        const set = await givenSet(server, { actions, enabled: false }, place);
        return { params: paramsOf(set), body: { signalId } };
      },
      answer: { actionSetEvents: [{ state: 'success', trigger: 'replay' }] },
      events: kind.events,
    }),
  ),
  {
    route: replay,
    name: 'makes no run when the signal does not pass the filters',
    given: async (server) => {
      const place = await givenActionPlace(server);
      const signalId = await signal(server, place);
      const payload = { status: { operator: 'IN', values: ['firing'] } };
      const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
      return { params: paramsOf(await givenSet(server, { match }, place)), body: { signalId } };
    },
    answer: { actionSetEvents: [] },
  },
  ...refused(replay, 400, {
    'refuses a signal of another endpoint': async (server) => {
      const { signalId } = await givenRun(server);
      return { params: paramsOf(await givenSet(server)), body: { signalId } };
    },
  }),
];

const dryRuns: readonly Scenario[] = [
  {
    route: dryRun,
    name: 'shows the filter results and the changes without making them',
    given: async (server) => {
      const place = await givenActionPlace(server);
      const filters = { 'item.status': { operator: 'IN', values: ['firing'] } };
      const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload: filters, forEach: 'alerts' };
      const payload = { alerts: [{ status: 'firing' }, { status: 'resolved' }, {}] };
      return { params: { projectId: place.projectId }, body: { set: setBody(place, { match }), payload } };
    },
    answer: {
      halted: null,
      views: [
        {
          element: 0,
          matches: true,
          filters: [{ path: 'item.status', found: 'firing', passes: true }],
          state: 'success',
          actions: [
            { state: 'success', changes: [{ type: 'feature-strategy-add' }, { type: 'feature-environment-enabled' }] },
          ],
        },
        { element: 1, matches: false, filters: [{ found: 'resolved', passes: false }], state: null, actions: [] },
        { element: 2, matches: false, filters: [{ found: null, why: expect.stringContaining('nothing') }] },
      ],
    },
  },
  ...kindCases.map(
    (kind): Scenario => ({
      route: dryRun,
      name: `tries an action that ${kind.name}, without changing anything`,
      given: async (server) => {
        const { place, actions } = await givenCase(server, kind);
        return { params: { projectId: place.projectId }, body: { set: setBody(place, { actions }), payload: {} } };
      },
      answer: { views: [{ state: 'success', actions: [{ state: 'success' }] }] },
    }),
  ),
  {
    route: dryRun,
    name: 'uses a stored signal and shows what would be refused',
    given: async (server) => {
      const place = await givenActionPlace(server);
      const signalId = await signal(server, place, { flag: 'elsewhere' });
      const [action] = setBody(place).actions;
      const actions = [{ ...action, executionParams: { ...action?.executionParams, featureName: '{{flag}}' } }];
      const allow = { flags: [place.flag.featureName] };
      return { params: { projectId: place.projectId }, body: { set: setBody(place, { actions, allow }), signalId } };
    },
    answer: {
      views: [
        {
          matches: true,
          state: 'failed',
          actions: [
            {
              executionParams: { featureName: 'elsewhere' },
              details: expect.stringMatching(/action set does not allow/),
            },
          ],
        },
      ],
    },
  },
  {
    route: dryRun,
    name: 'shows which flags would be held and which URLs called',
    given: async (server) => {
      const place = await givenActionPlace(server);
      const { projectId: project, flag } = place;
      const executionParams = { project, environment: 'development', featureName: flag.featureName, effect: 'on' };
      const hold = { action: 'HOLD_FEATURE', sortOrder: 1, executionParams };
      const call = { ...calling(place, 'https://8.8.8.8/{{n}}', { headers: '*****' }), sortOrder: 2 };
      const set = setBody(place, { actions: [hold, call] });
      return { params: { projectId: project }, body: { set, payload: { n: 1 } } };
    },
    answer: {
      views: [
        {
          state: 'success',
          actions: [
            { changes: [{ type: 'feature-lease-placed' }, { type: 'feature-effective-state-changed' }], call: null },
            { changes: [], call: { method: 'POST', url: 'https://8.8.8.8/1', state: 'not sent', attempts: 0 } },
          ],
        },
      ],
    },
  },
  ...refused(dryRun, 400, {
    'refuses to call a private address': async (server) => {
      const place = await givenActionPlace(server);
      const set = setBody(place, { actions: [calling(place, 'http://[::1]/', { headers: '*****' })] });
      return { params: { projectId: place.projectId }, body: { set } };
    },
    'refuses an invalid set': async (server) => {
      const place = await givenActionPlace(server);
      return { params: { projectId: place.projectId }, body: { set: setBody(place, { actorId: 99_999 }) } };
    },
    'answers 400 for an unknown signal': async (server) => {
      const place = await givenActionPlace(server);
      return { params: { projectId: place.projectId }, body: { set: setBody(place), signalId: 2_000_000_000 } };
    },
  }),
  {
    route: matchPreview,
    name: 'counts the signals of the last day that filters match',
    as: 'editor',
    given: async (server) => {
      const place = await givenActionPlace(server);
      for (const n of [1, 2, 3]) await signal(server, place, { n });
      const payload = { n: { operator: 'NUM_GTE', value: '2' } };
      return { params: { id: place.endpoint.id }, body: { payload } };
    },
    answer: { signals: 3, elements: 3, matches: 2, ended: 0, truncated: false },
  },
  {
    route: backtest,
    name: 'lists the runs that the set would have made',
    given: async (server) => {
      const place = await givenActionPlace(server);
      for (const n of [1, 2, 3]) await signal(server, place, { n, flag: place.flag.featureName });
      const [action] = setBody(place).actions;
      const actions = [{ ...action, executionParams: { ...action?.executionParams, featureName: '{{flag}}' } }];
      const payload = { n: { operator: 'NUM_GTE', value: '2' } };
      const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
      const set = setBody(place, { actions, match, allow: { flags: ['*'] } });
      return { params: { projectId: place.projectId }, body: { set, days: 1 } };
    },
    answer: {
      signals: 3,
      runs: 2,
      truncated: false,
      matches: [
        {
          element: null,
          actions: [{ executionParams: { featureName: expect.stringMatching(/^flag-/) }, problem: null }],
        },
        { signalId: expect.any(Number) },
      ],
    },
  },
];

const freeze = async (server: TestServer, frozen: boolean) => {
  await server.admin.call('POST /api/admin/automation', { body: { frozen, reason: 'drill' } });
};

const freezing: readonly Scenario[] = [
  {
    route: 'POST /api/admin/automation',
    name: 'freezes automation',
    call: { body: { frozen: true, reason: 'Incident 7' } },
    answer: { frozen: true, reason: 'Incident 7' },
    events: [
      { type: 'setting-created', data: { id: 'automation.freeze', frozen: true, reason: 'Incident 7' } },
      { type: 'automation-frozen', data: { reason: 'Incident 7' } },
    ],
  },
  {
    route: 'GET /api/admin/automation',
    name: 'says who froze it, when and why',
    as: 'viewer',
    given: async (server) => {
      await freeze(server, true);
      return {};
    },
    answer: { frozen: true, frozenBy: 'admin', frozenAt: expect.stringMatching(/^20/) },
  },
  {
    route: 'POST /api/admin/automation',
    name: 'unfreezes automation',
    given: async (server) => {
      await freeze(server, true);
      return { body: { frozen: false } };
    },
    answer: { frozen: false, reason: null, frozenBy: null, frozenAt: null },
    events: [
      { type: 'setting-updated', preData: { frozen: true }, data: { id: 'automation.freeze', frozen: false } },
      { type: 'automation-resumed' },
    ],
  },
  {
    route: 'GET /api/admin/automation',
    name: 'is visible to every user',
    as: 'viewer',
    answer: { frozen: false, reason: null, frozenBy: null, frozenAt: null },
  },
];

/** Scenarios of runs, replays, dry runs, backtests and the freeze. */
export const runScenarios: readonly Scenario[] = [
  ...runs,
  ...takeBackScenarios,
  ...replays,
  ...dryRuns,
  ...freezing,
  ...undecidedScenarios,
];
