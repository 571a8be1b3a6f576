import { describe, expect, it } from 'vitest';
import { givenDefinition } from '#testing/flags.ts';
import { givenPlan, rolloutTo } from '#testing/release-plans.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { strategyTypeScenarios } from './strategy-types.scenarios.ts';

describe('strategy type routes', () => testScenarios(useServer(), strategyTypeScenarios));

describe('a strategy type of a release plan', () => {
  const server = useServer();

  it('cannot be deleted before its milestone starts, because the milestone would switch the flag off', async () => {
    const params = await givenDefinition(server(), []);
    const milestone = { name: 'Partners', transitionCondition: null, strategies: [{ name: params.name }] };
    const plan = await givenPlan(server(), [rolloutTo(10, 60), milestone]);
    const refused = await server().admin.call('DELETE /api/admin/strategies/:name', { params });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      expect.stringContaining(`release plans of ${plan.params.featureName} use it`),
    ]);
    const removing = { params: plan.params, query: { strategies: 'remove' } };
    const route =
      'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId';
    expect((await server().admin.call(route, removing)).status).toBe(200);
    expect((await server().admin.call('DELETE /api/admin/strategies/:name', { params })).status).toBe(200);
  });
});

describe('custom strategies that settings forbid', () => {
  const noCreation = useServer({ disableCustomStrategyCreation: true });
  const noEditing = useServer({ disableCustomStrategyEditing: true });

  it('cannot be created', async () => {
    const body = { name: 'unwanted', parameters: [] };
    const reply = await noCreation().admin.call('POST /api/admin/strategies', { body });
    expect([reply.status, reply.json.name]).toEqual([403, 'OperationDeniedError']);
  });

  it('can be created, but not changed or deleted', async () => {
    const params = await givenDefinition(noEditing());
    for (const route of ['PUT /api/admin/strategies/:name', 'DELETE /api/admin/strategies/:name'] as const) {
      const reply = await noEditing().admin.call(
        route,
        route.startsWith('PUT') ? { params, body: { parameters: [] } } : { params },
      );
      expect([reply.status, reply.json.name]).toEqual([403, 'OperationDeniedError']);
    }
  });
});
