import { expect } from 'vitest';
import { givenCase, kindCases } from '#testing/action-kinds.ts';
import { givenActionPlace, givenRun, givenSet, runsOf, signal, turning } from '#testing/actions.ts';
import { type FlagEnvironmentParams, givenFlagIn, switchFlag } from '#testing/flags.ts';
import { releaseHold } from '#testing/holds.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const takeBack = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back';

/** Returns an action that holds a flag off for this many minutes. */
function holding({ projectId, featureName, environment }: FlagEnvironmentParams, minutes: string) {
  const executionParams = { project: projectId, featureName, environment, effect: 'off', minutes };
  return { action: 'HOLD_FEATURE', sortOrder: 1, executionParams };
}

/** Creates a run that turned a flag off. A user has turned the flag on again since. */
async function undoneByHand(server: TestServer) {
  const place = await givenActionPlace(server);
  await switchFlag(server, place.flag, 'on');
  const actions = [turning('OFF', place.projectId, place.flag.featureName)];
  const { params } = await givenRun(server, { actions }, place);
  await switchFlag(server, place.flag, 'on');
  return params;
}

/** Scenarios of taking a run back. */
export const takeBackScenarios: readonly Scenario[] = [
  ...kindCases.map(
    (kind): Scenario => ({
      route: takeBack,
      name: `${kind.back === null ? 'cannot take back' : 'takes back'} what ${kind.name}`,
      given: async (server) => {
        const { place, actions } = await givenCase(server, kind);
        return { params: (await givenRun(server, { actions }, place)).params };
      },
      ...(kind.back === null
        ? { status: 409 }
        : {
            status: 200,
            answer: { state: 'success', trigger: 'take-back', takesBackRunId: expect.any(Number) },
            events: kind.back,
          }),
    }),
  ),
  {
    route: takeBack,
    name: 'is recorded as a run with the actions of the set and the changes',
    given: async (server) => ({ params: (await givenRun(server)).params }),
    answer: { state: 'success', trigger: 'take-back' },
    check: async ({ json }, server) => {
      const route = 'GET /api/admin/projects/:projectId/actions/:actionSetId/events';
      const params = { projectId: json.actionSet.project, actionSetId: json.actionSet.id };
      const [run] = (await server.admin.call(route, { params })).json.actionSetEvents;
      expect(run.id).toBe(json.id);
      expect(run.actionSet.actions).toMatchObject([
        {
          action: 'TOGGLE_FEATURE_ON',
          state: 'success',
          changes: [{ type: 'feature-environment-disabled' }, { type: 'feature-strategy-remove' }],
        },
      ]);
    },
    events: [{ type: 'feature-environment-disabled' }, { type: 'feature-strategy-remove' }],
  },
  {
    route: takeBack,
    name: 'takes the other changes back when a person has released the hold of the run',
    given: async (server) => {
      const place = await givenActionPlace(server);
      const { featureName } = await givenFlagIn(server, 'development', place.projectId);
      const actions = [holding(place.flag, '60'), { ...turning('ON', place.projectId, featureName), sortOrder: 2 }];
      const { params } = await givenRun(server, { actions }, place);
      const holds = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
      const [hold] = (await server.admin.call(holds, { params: place.flag })).json.leases;
      await releaseHold(server, place.flag, hold.id);
      return { params };
    },
    answer: { state: 'success' },
    events: [{ type: 'feature-environment-disabled' }, { type: 'feature-strategy-remove' }],
  },
  ...refused(takeBack, 409, {
    'refuses to take a run back twice': async (server) => {
      const { params } = await givenRun(server);
      await server.admin.call(takeBack, { params });
      return { params };
    },
    'does not overwrite later changes': async (server) => {
      const { set, params } = await givenRun(server);
      const strategies =
        'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies';
      const [{ id }] = (await server.admin.call(strategies, { params: set.flag })).json;
      const change =
        'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId';
      await server.admin.call(change, { params: { ...set.flag, strategyId: id }, body: { title: 'mine' } });
      return { params };
    },
    'does not release a hold that a later run extended': async (server) => {
      const place = await givenActionPlace(server);
      const set = await givenSet(server, { actions: [holding(place.flag, '{{minutes}}')] }, place);
      await signal(server, place, { minutes: 10 });
      const [run] = await runsOf(server, set);
      await signal(server, place, { minutes: 60 });
      return { params: { projectId: set.projectId, actionSetId: set.id, runId: run.id } };
    },
    'answers 409 for a hold that was released since': async (server) => {
      const place = await givenActionPlace(server);
      const { flag } = place;
      const { params } = await givenRun(server, { actions: [holding(flag, '10')] }, place);
      const leases = '/api/admin/projects/:projectId/features/:featureName/leases' as const;
      const [{ id }] = (await server.admin.call(`GET ${leases}`, { params: flag })).json.leases;
      const holdPath =
        '/api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId' as const;
      await server.admin.call(`DELETE ${holdPath}`, { params: { ...flag, leaseId: id } });
      return { params };
    },
    'answers 409 for a run that changed nothing': async (server) => ({
      params: (await givenRun(server, { shadow: true })).params,
    }),
    'answers 409 when a user has already undone the change': async (server) => ({ params: await undoneByHand(server) }),
  }),
];
