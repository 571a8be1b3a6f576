import { describe, expect, it } from 'vitest';
import { givenMember, givenRole } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { type FlagEnvironmentParams, freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { errorsBelow, reportErrors, startMinute } from '#testing/impact-metrics.ts';
import {
  approve,
  givenPlan,
  inThreeSteps,
  passMinutes,
  planOf,
  rolloutTo,
  servedPercentages,
} from '#testing/release-plans.ts';
import { lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const inEnvironment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const ownerRole = 4;
const memberRole = 5;

const pass = (minutes: number) => passMinutes(server(), minutes);

async function pull(projects: string) {
  return (await server().admin.call('GET /api/admin/state', { query: { projects } })).json;
}

const plan = (state: object, client = server().admin) =>
  client.call('POST /api/admin/state/plan', { body: { state, prune: true } });
const apply = (state: object, client = server().admin) =>
  client.call('POST /api/admin/state/apply', { body: { state } });

async function givenOwnPlan(milestones: readonly object[] = inThreeSteps) {
  return givenPlan(server(), milestones, await givenEnabled(server(), await givenProject(server())));
}

/** Returns the environment of a flag in a state. */
function inState(state: ReturnType<typeof JSON.parse>, { projectId, featureName, environment }: FlagEnvironmentParams) {
  return state.projects[projectId].flags[featureName].environments[environment];
}

/** Milestones with all kinds of gates, a segment, variants, constraints and a disabled strategy. */
async function withAllGates(role: number): Promise<object[]> {
  startMinute(server());
  await reportErrors(server(), 0);
  const hours = { days: ['mon', 'tue'], from: '09:00', to: '16:00', timeZone: 'Europe/Berlin' };
  const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  const constraint = { contextName: 'country', operator: 'IN', values: ['NO'] };
  const { id } = await givenSegment(server());
  const gates = { hours, evaluations: 1000, metric: errorsBelow(5), approval: { by: 'person', role } };
  return [
    {
      name: 'Some',
      transitionCondition: { intervalMinutes: 60, ...gates },
      strategies: [
        { name: 'flexibleRollout', parameters: { rollout: '10' }, segments: [id], variants },
        { name: 'default', title: 'Norway', disabled: true, constraints: [constraint] },
      ],
    },
    { ...rolloutTo(50), transitionCondition: { intervalMinutes: 60, approval: { by: 'action' } } },
    rolloutTo(100),
  ];
}

describe('a release plan in a state', () => {
  it('keeps the number of halts after which it goes back', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params } = await givenPlan(server(), inThreeSteps, flag, { maxHalts: 3 });
    const state = await pull(params.projectId);
    expect(inState(state, params).releasePlan.maxHalts).toBe(3);
    expect((await plan(state)).json.changes).toEqual([]);
  });

  it('is not bypassed by a state from before it: the strategies that it replaced are refused', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const place = { projectId: flag.projectId, featureName: flag.featureName, environment: flag.environment };
    await server().admin.call(`POST ${inEnvironment}/strategies`, { params: place, body: { name: 'default' } });
    const older = await pull(flag.projectId);
    const { params } = await givenPlan(server(), inThreeSteps, flag);
    const refused = await apply(older);
    expect(refused.status).toBe(400);
    expect(refused.json.message).toContain('would be served beside the release plan Release gradually');
    expect(await servedPercentages(server(), params)).toEqual(['10']);
    // A state that names the plan keeps the plan beside the flag's own strategies.
    inState(older, params).releasePlan = {};
    expect((await apply(older)).status).toBe(200);
  });

  it('has all kinds of gates and no ids, and gives another flag the same plan', async () => {
    const { params } = await givenOwnPlan(await withAllGates(ownerRole));
    const state = await pull(params.projectId);
    const pulled = inState(state, params);
    expect(pulled.strategies).toEqual([]);
    const [some, half, all] = pulled.releasePlan.milestones;
    const gates = ['intervalMinutes', 'hours', 'evaluations', 'metric', 'approval'];
    expect(Object.keys(some.transitionCondition)).toEqual(gates);
    expect(some.transitionCondition.approval).toEqual({ by: 'person', role: 'Owner' });
    expect(some.strategies).toMatchObject([{ segments: [expect.any(String)] }, { title: 'Norway', disabled: true }]);
    expect(half.transitionCondition.approval).toEqual({ by: 'action' });
    expect(Object.keys(all)).toEqual(['name', 'strategies']);
    expect(JSON.stringify(pulled)).not.toMatch(/"(id|startedAt|approvedAt|groupId|sortOrder)"/);
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });

    const [project, copy] = [await givenProject(server()), freshName('flag')];
    const flags = { [copy]: state.projects[params.projectId].flags[params.featureName] };
    expect(await apply({ version: 1, projects: { [project]: { flags } } })).toMatchObject({ status: 200 });
    const copied = { ...params, projectId: project, featureName: copy };
    expect(inState(await pull(project), copied)).toEqual(pulled);
    const before = await lastEventId(server());
    expect((await apply(await pull(project))).json).toEqual({ changes: [] });
    expect(await lastEventId(server())).toBe(before);
  });

  it('stays the same while the plan goes on, is paused, held, approved and completed', async () => {
    const { params, ...rest } = await givenOwnPlan([
      { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval: { by: 'person' } } },
      rolloutTo(50, 60),
      rolloutTo(100),
    ]);
    const state = await pull(params.projectId);
    const expectSame = async () => {
      expect((await pull(params.projectId)).projects).toEqual(state.projects);
      expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
    };
    await expectSame();
    await approve(server(), { params, ...rest });
    await expectSame();
    await pass(60);
    expect(await servedPercentages(server(), params)).toEqual(['50']);
    await expectSame();
    await server().admin.call(`POST ${inEnvironment}/progressions/:planId/pause`, { params });
    await expectSame();
    await server().admin.call(`POST ${inEnvironment}/progressions/:planId/resume`, { params });
    const { id } = await givenHold(server(), params);
    await expectSame();
    await releaseHold(server(), params, id);
    await pass(60);
    expect((await planOf(server(), params)).progress.state).toBe('completed');
    await expectSame();
  });

  it('changes what is served when the strategies of the active milestone change', async () => {
    const { params } = await givenOwnPlan();
    await pass(60);
    const state = await pull(params.projectId);
    inState(state, params).releasePlan.milestones[1].strategies[0].parameters.rollout = 40;
    expect((await apply(state)).json.changes).toMatchObject([{ type: 'release-plan-updated' }]);
    expect(await servedPercentages(server(), params)).toEqual(['40']);
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
  });

  it('keeps a role that was deleted', async () => {
    const { id: roleId } = await givenRole(server());
    const { params } = await givenOwnPlan(await withAllGates(roleId));
    await server().admin.call('DELETE /api/admin/roles/:roleId', { params: { roleId } });
    const state = await pull(params.projectId);
    const [{ transitionCondition }] = inState(state, params).releasePlan.milestones;
    expect(transitionCondition.approval).toEqual({ by: 'person' });
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
  });

  it('starts its time when the same state switches the flag on', async () => {
    const project = await givenProject(server());
    const params = { projectId: project, featureName: freshName('flag'), environment: 'development' };
    const milestones = [rolloutTo(10, 60), { ...rolloutTo(100), transitionCondition: null }];
    const environments = { development: { enabled: true, releasePlan: { milestones } } };
    const state = { version: 1, projects: { [project]: { flags: { [params.featureName]: { environments } } } } };
    expect((await apply(state)).status).toBe(200);
    expect(await servedPercentages(server(), params)).toEqual(['10']);
    await pass(60);
    expect(await servedPercentages(server(), params)).toEqual(['100']);
  });

  it('is refused where changes are reviewed', async () => {
    const { params } = await givenOwnPlan();
    const { client } = await givenMember(server(), params.projectId, memberRole);
    const state = await pull(params.projectId);
    const withGates = structuredClone(state);
    inState(withGates, params).releasePlan.milestones[0].transitionCondition.intervalMinutes = 5;
    const withoutPlan = structuredClone(state);
    inState(withoutPlan, params).releasePlan = null;
    const added = structuredClone(state);
    added.projects[params.projectId].flags[params.featureName].environments.production.releasePlan = {
      milestones: inThreeSteps,
    };
    await givenReview(server(), params.projectId);
    await givenReview(server(), params.projectId, 'production');
    for (const changed of [withGates, withoutPlan, added]) {
      expect((await plan(changed, client)).json.permissions).toEqual([
        { message: expect.stringContaining('SKIP_CHANGE_REQUEST'), names: [params.featureName] },
      ]);
      expect((await apply(changed, client)).status).toBe(403);
    }
    expect((await pull(params.projectId)).projects).toEqual(state.projects);
    expect((await apply(withGates)).status).toBe(200);
  });
});
