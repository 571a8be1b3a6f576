import { handledRoutes, type RouteKey, type RouteSpec, type Routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshName, givenEnvironment, givenProject } from '../../apps/server/testing/flags.ts';
import { refusalOf } from '../../apps/server/testing/refusal.ts';
import { clientOf, lastEventId } from '../../apps/server/testing/scenario.ts';
import { firstOf, loadScenarios, useServerForScenarios } from './scenarios.ts';

// Sends the first scenario of each route, once for each parameter of its path with a name that does not exist, and with
// a project or an environment that exists but does not have what the other parameters name. The request is refused with
// 404, changes nothing, and succeeds afterwards with the right names. Why it is refused is recorded in the snapshot.

type Key = RouteKey & keyof Routes;

const scenarios = await loadScenarios();
const table = (Object.entries(handledRoutes) as [Key, RouteSpec][]).filter(([, { params }]) => params !== undefined);

const noToken = [401, 'the token is one of no such endpoint'] as const;
const noLink = [400, 'the link is invalid or has expired'] as const;
const done = [200, 'nothing is left to do'] as const;
const none = [200, 'lists none'] as const;
const created = [200, 'is created'] as const;
const alsoThere = [200, 'the other project has it, too'] as const;
const badField = [400, 'is refused as a wrong value'] as const;

/** Other answers than 404: the status, and the reason. */
const others: Readonly<Partial<Record<Key, Readonly<Record<string, readonly [status: number, reason: string]>>>>> = {
  'POST /api/signal-endpoint/:name': { 'unknown name': noToken },
  'PUT /api/signal-endpoint/:name': { 'unknown name': noToken },
  'OPTIONS /api/signal-endpoint/:name': { 'unknown name': noToken },
  'POST /api/signal-endpoint/:name/:secret': { 'unknown name': noToken, 'unknown secret': noToken },
  'OPTIONS /api/signal-endpoint/:name/:secret': { 'unknown name': noToken, 'unknown secret': noToken },
  'GET /api/admin/events/:featureName': { 'unknown featureName': none },
  'PUT /api/admin/event-consumers/:name': { 'unknown name': [201, 'is created'] },
  'GET /api/admin/api-tokens/:name': { 'unknown name': none },
  'PUT /api/admin/api-tokens/:token': { 'unknown token': done },
  'DELETE /api/admin/api-tokens/:token': { 'unknown token': done },
  'GET /invite/:token/validate': { 'unknown token': noLink },
  'POST /invite/:token/signup': { 'unknown token': noLink },
  'DELETE /api/admin/projects/:projectId/environments/:environment': { 'other projectId': alsoThere },
  'GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment': {
    'other projectId': alsoThere,
  },
  'POST /api/admin/projects/:projectId/environments/:environment/default-strategy': { 'other projectId': alsoThere },
  'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': {
    'other projectId': [204, alsoThere[1]],
  },
  'PUT /api/admin/projects/:projectId/users/:userId/roles': { 'other projectId': [200, 'users are in no project'] },
  'PUT /api/admin/projects/:projectId/groups/:groupId/roles': { 'other projectId': [200, 'groups are in no project'] },
  'POST /api/admin/projects/:projectId/environments/:environment/change-requests': {
    'other projectId': [403, 'changes of the other project are not reviewed'],
  },
  'GET /api/admin/projects/:projectId/change-requests/pending/:featureName': {
    'other projectId': none,
    'unknown featureName': none,
  },
  'GET /api/admin/projects/:projectId/features/:parent/parent-variants': {
    'other projectId': none,
    'unknown parent': none,
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies': {
    'other environment': badField,
    'unknown environment': badField,
  },
  'POST /api/admin/metrics/applications/:appName': { 'unknown appName': [202, 'is created'] },
  'DELETE /api/admin/metrics/applications/:appName': { 'unknown appName': done },
  'GET /api/admin/metrics/instances/:appName/environment/:environment': {
    'other environment': none,
    'unknown environment': none,
  },
  'POST /api/admin/splash/:id': { 'unknown id': created },
  'PUT /api/admin/feedback/:id': { 'unknown id': created },
  'GET /api/admin/tags/:type': { 'unknown type': none },
  'GET /docs/event-types/:type': { 'unknown type': badField },
};

describe('a name that does not exist', () => {
  const server = useServerForScenarios();
  let elsewhere: Readonly<Record<string, string>>;
  beforeAll(async () => {
    elsewhere = { projectId: await givenProject(server()), environment: await givenEnvironment(server()) };
  });

  it.each(table)('%s', async (key, { params }) => {
    const scenario = firstOf(scenarios, key);
    const call = { ...scenario.call, ...(await scenario.given?.(server())) };
    const client = await clientOf(server(), scenario.as ?? 'admin');
    const names = Object.keys(params?.shape ?? {});
    const wrong = names.flatMap((name) => {
      const unknown = /^\d+$/.test(String(call.params?.[name])) ? '2000000000' : freshName('nowhere');
      const other = names.length === 1 ? undefined : elsewhere[name];
      return [
        { what: `unknown ${name}`, name, value: unknown },
        ...(other === undefined ? [] : [{ what: `other ${name}`, name, value: other }]),
      ];
    });
    const answers: Record<string, number> = {};
    for (const { what, name, value } of wrong) {
      const before = await lastEventId(server());
      const reply = await client.call(key, { ...call, params: { ...call.params, [name]: value } });
      answers[what] = reply.status;
      if (reply.status < 400) continue;
      expect(refusalOf(reply)).toMatchSnapshot(what);
      expect(await lastEventId(server())).toBe(before);
    }
    expect(answers).toEqual(Object.fromEntries(wrong.map(({ what }) => [what, others[key]?.[what]?.[0] ?? 404])));
    expect((await client.call(key, call)).status).toBe(scenario.status);
  });
});
