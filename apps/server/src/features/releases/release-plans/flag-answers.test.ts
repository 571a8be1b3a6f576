import { describe, expect, it } from 'vitest';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenPlan, planOf } from '#testing/release-plans.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const one = 'GET /api/admin/projects/:projectId/features/:featureName' as const;
const off = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off' as const;
const start =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start' as const;

type Json = { readonly name: string; readonly [field: string]: unknown };
const inEnvironment = (environments: readonly Json[], name: string) =>
  environments.find((state) => state.name === name);

describe('the answer of a flag with a release plan', () => {
  it('has the plan and its milestone in the environment of the plan', async () => {
    const { params, milestoneIds } = await givenPlan(server());
    await server().admin.call(start, { params: { ...params, milestoneId: milestoneIds[1] ?? '' } });
    const { json } = await server().admin.call(one, { params });
    const plan = await planOf(server(), params);
    const expected = { releasePlans: [plan], milestoneName: '50 %', milestoneOrder: 1, totalMilestones: 3 };
    expect(inEnvironment(json.environments, params.environment)).toMatchObject(expected);
    const state = await server().admin.call(`${one}/environments/:environment`, { params });
    expect(state.json).toMatchObject(expected);
    const other = inEnvironment(json.environments, 'production');
    expect(other).toMatchObject({ releasePlans: [] });
    expect(other).not.toHaveProperty('milestoneName');
  });

  it('has the plan after the flag was switched, too', async () => {
    const { params } = await givenPlan(server());
    const { json } = await server().admin.call(off, { params });
    expect(inEnvironment(json.environments, params.environment)).toMatchObject({
      releasePlans: [{ id: params.planId, progress: { state: 'off' } }],
    });
  });
});

describe('lists of flags', () => {
  const milestone = { milestoneName: '10 %', milestoneOrder: 0, totalMilestones: 3 };

  async function listed(route: 'project' | 'search', { projectId, featureName, environment }: FlagEnvironmentParams) {
    const { json } =
      route === 'project'
        ? await server().admin.call('GET /api/admin/projects/:projectId/features', { params: { projectId } })
        : await server().admin.call('GET /api/admin/search/features', { query: { project: `IS:${projectId}` } });
    const flag = json.features.find(({ name }: Json) => name === featureName);
    return inEnvironment(flag.environments, environment);
  }

  it.each(['project', 'search'] as const)('have the milestone and no plan (%s)', async (route) => {
    const projectId = await givenProject(server());
    const flag = await givenEnabled(server(), projectId);
    const { params } = await givenPlan(server(), undefined, flag);
    const state = await listed(route, params);
    expect(state).toMatchObject(milestone);
    expect(state).not.toHaveProperty('releasePlans');
  });
});
