import type { Permission } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember, givenRole } from '#testing/access.ts';
import {
  givenPlace,
  givenReview,
  givenSent,
  requestChanges,
  setRequestState,
  switchingOn,
} from '#testing/change-requests.ts';
import { addStrategy, type FlagEnvironmentParams, freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { givenPlan, inThreeSteps } from '#testing/release-plans.ts';
import { moreThan } from '#testing/safeguards.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const requesting = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests';
const inProject = '/api/admin/projects/:projectId' as const;

interface Place extends FlagEnvironmentParams {
  readonly strategyId: string;
  readonly parent: string;
}

/** The permission and an example payload of each action. */
const changes: Readonly<Record<string, readonly [Permission, (place: Place) => object]>> = {
  updateEnabled: ['UPDATE_FEATURE_ENVIRONMENT', () => ({ enabled: true })],
  addStrategy: ['CREATE_FEATURE_STRATEGY', () => ({ name: 'default' })],
  updateStrategy: ['UPDATE_FEATURE_STRATEGY', ({ strategyId }) => ({ id: strategyId, name: 'default', title: 'new' })],
  reorderStrategy: ['UPDATE_FEATURE_STRATEGY', ({ strategyId }) => [{ id: strategyId, sortOrder: 7 }]],
  deleteStrategy: ['DELETE_FEATURE_STRATEGY', ({ strategyId }) => ({ id: strategyId })],
  patchVariant: [
    'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    () => ({ variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }] }),
  ],
  archiveFeature: ['DELETE_FEATURE', () => ({})],
  addDependency: ['UPDATE_FEATURE_DEPENDENCY', ({ parent }) => ({ feature: parent })],
};
const all = [...new Set(Object.values(changes).map(([permission]) => permission))];

describe('an approval', () => {
  const server = useServer();

  it('counts although its author has lost the permission to approve since', async () => {
    const { at, id } = await givenSent(server());
    const { projectId } = at;
    const approver = await givenMember(server(), projectId, 4);
    await givenMember(server(), projectId, 4);
    await setRequestState(approver.client, projectId, id, 'Approved');
    const removed = await server().admin.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', {
      params: { projectId, userId: approver.id },
    });
    expect(removed.status).toBe(200);
    await setRequestState(server().admin, projectId, id, 'Applied');
  });

  it('is refused with the environment in which its author may not approve', async () => {
    const { at } = await givenSent(server());
    const { projectId } = at;
    const { client } = await givenMember(server(), projectId, 5);
    const refused = await client.call(`PUT ${inProject}/change-requests/:id/state`, {
      params: at,
      body: { state: 'Approved' },
    });
    expect([refused.status, refused.json.message]).toEqual([
      403,
      'You need the permission APPROVE_CHANGE_REQUEST in development to do this.',
    ]);
  });
});

describe('requesting a change in an environment without review', () => {
  const server = useServer();

  async function given(): Promise<Place> {
    const projectId = await givenProject(server());
    const parent = (await givenFlag(server(), {}, projectId)).featureName;
    const flag = { ...(await givenFlag(server(), { name: freshName('flag') }, projectId)), environment: 'development' };
    const strategyId = await addStrategy(server(), flag, { name: 'default' });
    return { ...flag, strategyId, parent };
  }
  async function statusOf(place: Place, action: string, permissions: readonly Permission[]): Promise<number> {
    const role = await givenRole(server(), { permissions: permissions.map((name) => ({ name })) });
    const { client } = await givenMember(server(), place.projectId, role.id);
    const body = { action, feature: place.featureName, payload: changes[action]?.[1](place) };
    const { projectId, environment } = place;
    return (await client.call(requesting, { params: { projectId, environment }, body })).status;
  }

  it.each<[string, readonly [Permission, Permission]]>([
    ['addReleasePlan', ['CREATE_FEATURE_STRATEGY', 'DELETE_FEATURE_STRATEGY']],
    ['startMilestone', ['UPDATE_FEATURE_STRATEGY', 'DELETE_FEATURE_STRATEGY']],
  ])('%s that removes the strategies of the flag needs %j', async (action, permissions) => {
    const { projectId, environment, ...place } = await given();
    const params = { ...place, projectId, environment };
    const shadow = action === 'startMilestone' ? { shadow: true, strategies: 'keep' } : undefined;
    const plan = shadow && (await givenPlan(server(), undefined, params, shadow));
    const at = plan && { planId: plan.params.planId, milestoneId: plan.milestoneIds[0], shadow: false };
    const payload = { ...(at ?? { milestones: inThreeSteps }), strategies: 'remove' };
    const request = async (names: readonly Permission[]) => {
      const role = await givenRole(server(), { permissions: names.map((name) => ({ name })) });
      const { client } = await givenMember(server(), projectId, role.id);
      const body = { action, feature: params.featureName, payload };
      return client.call(requesting, { params: { projectId, environment }, body });
    };
    const refused = await request(permissions.slice(0, 1));
    expect([refused.status, refused.json.permissions]).toEqual([403, ['DELETE_FEATURE_STRATEGY']]);
    expect((await request(permissions)).status).toBe(200);
  });

  it('addReleasePlan with safeguards needs UPDATE_FEATURE_STRATEGY besides', async () => {
    const { projectId, environment, featureName } = await given();
    const payload = { milestones: inThreeSteps, safeguards: [moreThan(5, 'unleash_counter_errors')] };
    const request = async (names: readonly Permission[]) => {
      const role = await givenRole(server(), { permissions: names.map((name) => ({ name })) });
      const { client } = await givenMember(server(), projectId, role.id);
      const body = { action: 'addReleasePlan', feature: featureName, payload };
      return client.call(requesting, { params: { projectId, environment }, body });
    };
    const refused = await request(['CREATE_FEATURE_STRATEGY']);
    expect([refused.status, refused.json.permissions]).toEqual([403, ['UPDATE_FEATURE_STRATEGY']]);
    expect((await request(['CREATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_STRATEGY'])).status).toBe(200);
  });

  it.each(Object.entries(changes))(
    '%s needs only the permission of the direct change',
    async (action, [permission]) => {
      const place = await given();
      const others = all.filter((name) => name !== permission);
      expect(await statusOf(place, action, others)).toBe(403);
      expect(await statusOf(place, action, [permission])).toBe(200);
    },
  );

  it.each([
    ['updateSegment', 'UPDATE_SEGMENT'],
    ['deleteSegment', 'DELETE_SEGMENT'],
  ])('%s needs only %s', async (action, permission) => {
    const { projectId } = await given();
    const segment = await givenSegment(server(), { project: projectId });
    const fields = action === 'deleteSegment' ? {} : { name: segment.name, project: projectId, constraints: [] };
    const request = async (name: string) => {
      const role = await givenRole(server(), { type: 'root-custom', permissions: [{ name }] });
      const { client } = await givenCaller(server(), role.id);
      const params = { projectId, environment: 'development' };
      return client.call(requesting, { params, body: { action, payload: { id: segment.id, ...fields } } });
    };
    expect((await request('CREATE_SEGMENT')).status).toBe(403);
    expect((await request(permission)).status).toBe(200);
  });

  it('needs the same permission as the direct route', async () => {
    const place = await given();
    const route = `DELETE ${inProject}/features/:featureName/environments/:environment/strategies/:strategyId` as const;
    const { environment: _, ...rest } = place;
    const params = { ...rest, environment: 'production' };
    const role = await givenRole(server(), {
      permissions: all.filter((name) => name !== 'DELETE_FEATURE_STRATEGY').map((name) => ({ name })),
    });
    const { client } = await givenMember(server(), place.projectId, role.id);
    expect((await client.call(route, { params })).status).toBe(403);
  });
});

describe('applying changes of one environment together with changes of all environments', () => {
  const server = useServer();

  it('needs the direct permission only of the changes of all environments', async () => {
    const { params, author } = await givenPlace(server());
    const { projectId, featureName: feature } = params;
    await givenReview(server(), projectId, 'production');
    const { featureName: parent } = await givenFlag(server(), {}, projectId);
    const depending = { action: 'addDependency', feature, payload: { feature: parent } };
    const { id } = await requestChanges(author.client, params, [switchingOn(params), depending]);
    await setRequestState(author.client, projectId, id, 'In review');
    await setRequestState(server().admin, projectId, id, 'Approved');
    const apply = async (...permissions: Permission[]) => {
      const role = await givenRole(server(), { permissions: permissions.map((name) => ({ name })) });
      const { client } = await givenMember(server(), projectId, role.id);
      const route = `PUT ${inProject}/change-requests/:id/state` as const;
      return client.call(route, { params: { projectId, id }, body: { state: 'Applied' } });
    };
    const refused = await apply('APPLY_CHANGE_REQUEST', 'UPDATE_FEATURE_ENVIRONMENT');
    expect([refused.status, refused.json.permissions]).toEqual([403, ['UPDATE_FEATURE_DEPENDENCY']]);
    const applied = await apply('APPLY_CHANGE_REQUEST', 'UPDATE_FEATURE_DEPENDENCY');
    expect([applied.status, applied.json.state]).toEqual([200, 'Applied']);
  });
});
