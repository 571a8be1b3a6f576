import { describe, expect, it } from 'vitest';
import { givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenPlace, givenReview, readRequest, requestChanges, setRequestState } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '#testing/flags.ts';
import {
  approving,
  givenApprovingSet,
  givenPlan,
  givenTemplate,
  inThreeSteps,
  passMinutes,
  planOf,
  rolloutTo,
  servedPercentages,
} from '#testing/release-plans.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const percentages = (params: FlagEnvironmentParams) => servedPercentages(server(), params);

const pass = (minutes: number) => passMinutes(server(), minutes);

describe('a release plan where changes are reviewed', () => {
  async function givenReviewed() {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params } = await givenPlan(server(), inThreeSteps, flag);
    await givenReview(server(), flag.projectId);
    return params;
  }
  /** Requests changes, and lets an administrator approve and apply them. */
  async function applyRequest(params: FlagEnvironmentParams, author: ApiClient, changes: unknown): Promise<void> {
    const { id } = await requestChanges(author, params, changes);
    const { projectId } = params;
    await setRequestState(author, projectId, id, 'In review');
    await setRequestState(server().admin, projectId, id, 'Approved');
    await setRequestState(server().admin, projectId, id, 'Applied');
  }
  // An editor must not skip review; the administrator may.
  const editor = async () => server().client(await server().tokenOf('editor'));

  it('goes on by itself, because the plan was allowed', async () => {
    const params = await givenReviewed();
    await pass(60);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('goes back by itself when an action has held its flag too often', async () => {
    const place = await givenActionPlace(server());
    const { projectId: project, flag } = place;
    await server().admin.call(`POST ${environment}/on`, { params: flag });
    const { params } = await givenPlan(server(), inThreeSteps, flag, { maxHalts: 1 });
    await pass(60);
    const { featureName, environment: name } = flag;
    const executionParams = { project, featureName, environment: name, effect: 'off', minutes: 5 };
    await givenSet(server(), { actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }] }, place);
    await givenReview(server(), project);
    await signal(server(), place);
    const { progress, activeMilestoneId, milestones } = await planOf(server(), params);
    expect(progress).toMatchObject({ state: 'paused', reason: expect.stringContaining('the plan went back to 10 %') });
    expect(activeMilestoneId).toBe(milestones[0].id);
  });

  it('is held at its first milestone by an action without review', async () => {
    const place = await givenActionPlace(server());
    const { projectId: project, flag } = place;
    const { featureName, environment: name } = flag;
    await server().admin.call(`POST ${environment}/on`, { params: flag });
    await givenPlan(server(), inThreeSteps, flag);
    const executionParams = { project, featureName, environment: name, effect: 'milestone', milestone: 'first' };
    const set = await givenSet(
      server(),
      { actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }] },
      place,
    );
    await givenReview(server(), project);
    await signal(server(), place);
    expect(await runsOf(server(), set)).toMatchObject([{ state: 'success' }]);
  });

  it('cannot be added, started or changed without review, but paused', async () => {
    const params = await givenReviewed();
    const client = await editor();
    const { milestones } = await planOf(server(), params);
    const at = {
      ...params,
      milestoneId: milestones[1].id,
      id: milestones[0].id,
      strategyId: milestones[0].strategies[0].id,
    };
    const statuses = [
      await client.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, { params: at }),
      await client.call(`DELETE ${environment}/progressions/:id`, { params: at }),
      await client.call(`PUT ${environment}/milestone-strategies/:strategyId`, { params: at, body: { title: 'A' } }),
      await client.call(`DELETE ${environment}/release-plans/:planId`, { params: at }),
      await client.call(`POST ${environment}/progressions/:planId/pause`, { params: at }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 200]);
  });

  it('is added by a change request, which approves all its milestones', async () => {
    const { params, author } = await givenPlace(server());
    const { id: templateId } = await givenTemplate(server());
    const change = { action: 'addReleasePlan', feature: params.featureName, payload: { templateId } };
    await applyRequest(params, author.client, change);
    expect((await planOf(server(), params)).milestones).toHaveLength(3);
    await server().admin.call(`POST ${environment}/on`, { params });
    await pass(60);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('is changed by change requests: its time, its strategies, its milestone and its end', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params, milestoneIds, strategyIds } = await givenPlan(server(), inThreeSteps, flag);
    await givenReview(server(), flag.projectId);
    const { client } = await givenMember(server(), flag.projectId, 5);
    const { planId, featureName: feature } = params;
    const [first = '', second = ''] = milestoneIds;
    const parameters = { rollout: '20', stickiness: 'userId', groupId: feature };
    await applyRequest(params, client, [
      {
        action: 'changeMilestoneProgression',
        feature,
        payload: { sourceMilestone: first, transitionCondition: { intervalMinutes: 5 } },
      },
      { action: 'deleteMilestoneProgression', feature, payload: { sourceMilestone: second } },
      { action: 'updateMilestoneStrategy', feature, payload: { id: strategyIds[1], parameters } },
    ]);
    await pass(5);
    expect(await percentages(params)).toEqual(['20']);
    expect((await planOf(server(), params)).progress.state).toBe('waiting');
    const start = { action: 'startMilestone', feature, payload: { planId, milestoneId: milestoneIds[2] } };
    await applyRequest(params, client, start);
    expect(await percentages(params)).toEqual(['100']);
    const end = { action: 'deleteReleasePlan', feature, payload: { planId, strategies: 'keep' } };
    await applyRequest(params, client, end);
    expect(await planOf(server(), params)).toBeUndefined();
    expect(await percentages(params)).toEqual(['100']);
  });

  it('has its milestones approved by change requests, by a person who applies them and has the role', async () => {
    const projectId = await givenProject(server());
    const { id: role, name } = await givenRole(server());
    const approval = { by: 'person', role };
    const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval } };
    const flag = await givenEnabled(server(), projectId);
    const plan = await givenPlan(server(), [gated, rolloutTo(100)], flag);
    const { params, milestoneIds } = plan;
    await givenReview(server(), projectId);
    const ids = { planId: params.planId, milestoneId: milestoneIds[0] ?? '' };
    const manager = await givenMember(server(), projectId, 4);
    await giveRoles(server(), projectId, [role], { users: [manager.id] });
    const author = await givenMember(server(), projectId, 5);
    expect((await author.client.call(approving, { params: { ...params, ...ids } })).status).toBe(403);
    const change = { action: 'approveMilestone', feature: params.featureName, payload: ids };
    const { id } = await requestChanges(author.client, params, change);
    await setRequestState(author.client, projectId, id, 'In review');
    await setRequestState(server().admin, projectId, id, 'Approved');
    const apply = (client: ApiClient) =>
      client.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
        params: { projectId, id },
        body: { state: 'Applied' },
      });
    const refused = await apply(server().admin);
    expect([refused.status, refused.json.message]).toEqual([
      403,
      `You need the role ${name} to approve this milestone.`,
    ]);
    expect((await apply(manager.client)).status).toBe(200);
    await pass(60);
    expect(await percentages(params)).toEqual(['100']);
  });

  it('is approved by an action only where its account may skip review', async () => {
    const projectId = await givenProject(server());
    const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval: { by: 'action' } } };
    const { params } = await givenPlan(server(), [gated, rolloutTo(100)], await givenEnabled(server(), projectId));
    await givenReview(server(), projectId);
    const set = await givenApprovingSet(server(), params);
    await signal(server(), set);
    expect((await planOf(server(), params)).milestones[0].approvedAt).toBeNull();
    await giveRoles(server(), projectId, [4], { users: [set.actorId] });
    await signal(server(), set);
    expect((await planOf(server(), params)).milestones[0].approvedAt).toEqual(expect.any(String));
  });

  it('cannot be approved from a template that has changed since it was requested', async () => {
    const { params, author } = await givenPlace(server());
    const template = await givenTemplate(server());
    const change = { action: 'addReleasePlan', feature: params.featureName, payload: { templateId: template.id } };
    const request = await requestChanges(author.client, params, change);
    await setRequestState(author.client, params.projectId, request.id, 'In review');
    await server().admin.call('PUT /api/admin/release-plan-templates/:templateId', {
      params: { templateId: template.id },
      body: { name: template.name, milestones: [rolloutTo(100)] },
    });
    const shown = await readRequest(server(), params.projectId, request.id);
    expect(JSON.stringify(shown)).toContain('The release template has changed since the request was made.');
  });

  it('cannot be approved from a template whose shared segment has changed since it was requested', async () => {
    const { params, author } = await givenPlace(server());
    const { id: segment, name } = await givenSegment(server());
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '100' }, segments: [segment] }];
    const template = await givenTemplate(server(), { milestones: [{ name: 'Staff', strategies }, rolloutTo(100)] });
    const change = { action: 'addReleasePlan', feature: params.featureName, payload: { templateId: template.id } };
    const { id } = await requestChanges(author.client, params, change);
    await setRequestState(author.client, params.projectId, id, 'In review');
    await setRequestState(server().admin, params.projectId, id, 'Approved');
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }];
    const body = { name, constraints };
    // No reviewed environment uses the segment yet, so the change needs no review.
    expect((await (await editor()).call('PUT /api/admin/segments/:id', { params: { id: segment }, body })).status).toBe(
      204,
    );
    const applied = await server().admin.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
      params: { projectId: params.projectId, id },
      body: { state: 'Applied' },
    });
    expect([applied.status, applied.json.details?.[0].message]).toEqual([
      409,
      `The segment ${name} of the requested strategy has changed since the request was made.`,
    ]);
    expect(await planOf(server(), params)).toBeUndefined();
  });

  it('is not started for real by a request that was made in shadow mode', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params, milestoneIds } = await givenPlan(server(), inThreeSteps, flag, { shadow: true });
    const { projectId, planId, featureName: feature } = params;
    await givenReview(server(), projectId);
    const { client } = await givenMember(server(), projectId, 5);
    const change = { action: 'startMilestone', feature, payload: { planId, milestoneId: milestoneIds[2] } };
    const { id } = await requestChanges(client, params, change);
    await setRequestState(client, projectId, id, 'In review');
    await setRequestState(server().admin, projectId, id, 'Approved');
    const [milestoneId = 'none'] = milestoneIds;
    await server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
      params: { ...params, milestoneId },
      query: { shadow: 'false', strategies: 'remove' },
    });
    const applied = await server().admin.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
      params: { projectId, id },
      body: { state: 'Applied' },
    });
    expect([applied.status, applied.json.message]).toEqual([409, expect.stringContaining('shadow mode')]);
    expect(await percentages(params)).toEqual(['10']);
  });

  it('ends its shadow mode by a change request that says so, and only then', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params, milestoneIds } = await givenPlan(server(), inThreeSteps, flag, { shadow: true });
    const { projectId, planId, featureName: feature } = params;
    await givenReview(server(), projectId);
    const { client } = await givenMember(server(), projectId, 5);
    const starting = (milestone: number, more: object) => {
      const payload = { planId, milestoneId: milestoneIds[milestone], ...more };
      return applyRequest(params, client, { action: 'startMilestone', feature, payload });
    };
    await starting(2, {});
    expect(await planOf(server(), params)).toMatchObject({ shadow: true, activeMilestoneId: milestoneIds[2] });
    await starting(1, { shadow: false });
    expect(await planOf(server(), params)).toMatchObject({ shadow: false, activeMilestoneId: milestoneIds[1] });
  });

  it('cannot be changed by a request after any strategy of the milestone was changed otherwise', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const rollout = { name: 'flexibleRollout', parameters: { rollout: '10' } };
    const milestones = [{ name: 'Both', strategies: [rollout, rollout] }, rolloutTo(100)];
    const { params, strategyIds } = await givenPlan(server(), milestones, flag);
    const { projectId, featureName: feature } = params;
    await givenReview(server(), projectId);
    const { client } = await givenMember(server(), projectId, 5);
    const payload = { id: strategyIds[0], title: 'requested' };
    const { id } = await requestChanges(client, params, { action: 'updateMilestoneStrategy', feature, payload });
    await setRequestState(client, projectId, id, 'In review');
    const changed = await server().admin.call(`PUT ${environment}/milestone-strategies/:strategyId`, {
      params: { ...params, strategyId: strategyIds[0] ?? '' },
      body: { title: 'changed' },
    });
    expect(changed.status, changed.text).toBe(200);
    expect(JSON.stringify(await readRequest(server(), projectId, id))).toContain(
      'The milestone was changed or removed',
    );
  });

  it('keeps in a draft the end of the time of each milestone', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { params, milestoneIds } = await givenPlan(server(), inThreeSteps, flag);
    await givenReview(server(), flag.projectId);
    const { client } = await givenMember(server(), flag.projectId, 5);
    const action = 'deleteMilestoneProgression';
    const changes = milestoneIds
      .slice(0, 2)
      .map((sourceMilestone) => ({ action, feature: params.featureName, payload: { sourceMilestone } }));
    const { features } = await requestChanges(client, params, changes);
    expect(features[0].changes).toMatchObject(changes.map(({ payload }) => ({ action, payload })));
  });

  it('protects a shared segment that only a later milestone uses from changes without review', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { id, name } = await givenSegment(server());
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '100' }, segments: [id] }];
    const { params } = await givenPlan(server(), [rolloutTo(10, 60), { name: 'Staff', strategies }], flag);
    await givenReview(server(), flag.projectId);
    const client = await editor();
    const change = () =>
      client.call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints: [] } });
    expect((await change()).status).toBe(403);
    const shown = await server().admin.call('GET /api/admin/segments/:id', { params: { id } });
    expect(shown.json.constraints).toHaveLength(1);
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, { params, query: { strategies: 'keep' } });
    expect((await change()).status).toBe(204);
  });
});

describe('a release plan where review is binding', () => {
  const bound = useServer({ bindingReview: true });

  it('goes on by itself, because the plan was allowed', async () => {
    const flag = await givenEnabled(bound(), await givenProject(bound()));
    const { params } = await givenPlan(bound(), inThreeSteps, flag);
    await givenReview(bound(), flag.projectId);
    await passMinutes(bound(), 60);
    expect(await servedPercentages(bound(), params)).toEqual(['50']);
  });
});
