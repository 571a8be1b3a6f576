import { environmentPermissions, projectPermissions } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenRole, giveRoles } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import type { Call } from '#testing/client.ts';
import { addStrategy, type FlagEnvironmentParams, freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const flagRoute = '/api/admin/projects/:projectId/features/:featureName' as const;
const inEnvironment = `${flagRoute}/environments/:environment` as const;
const config = 'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config' as const;

describe('a direct change', () => {
  const server = useServer();
  type Route = Parameters<ReturnType<typeof server>['admin']['call']>[0];
  type Prepared = readonly [Route, Call];

  async function done(route: Route, call: Call) {
    const reply = await server().admin.call(route, call);
    if (reply.status >= 300) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
    return reply.text === '' ? undefined : reply.json;
  }

  /** Creates an account with every project permission except skipping review and breaking glass. */
  async function givenMaintainer(...projects: string[]): Promise<Caller> {
    const names = [...projectPermissions, ...environmentPermissions].filter(
      (name) => !['SKIP_CHANGE_REQUEST', 'BREAK_GLASS_CHANGE_REQUEST'].includes(name),
    );
    const role = await givenRole(server(), { permissions: names.map((name) => ({ name })) });
    const caller = await givenCaller(server());
    for (const projectId of projects) await giveRoles(server(), projectId, [role.id], { users: [caller.id] });
    return caller;
  }
  const strategy = (params: FlagEnvironmentParams) => addStrategy(server(), params, { name: 'default' });
  const depending = async (params: FlagEnvironmentParams) => {
    const parent = (await givenFlag(server(), {}, params.projectId)).featureName;
    await done(`POST ${flagRoute}/dependencies`, { params, body: { feature: parent } });
    return parent;
  };

  /** Changes that affect the environment of `params`; each is prepared before review is turned on. */
  const inOne: Readonly<Record<string, (params: FlagEnvironmentParams) => Promise<Prepared>>> = {
    'switching on': async (params) => [`POST ${inEnvironment}/on`, { params }],
    'switching off': async (params) => {
      await done(`POST ${inEnvironment}/on`, { params });
      return [`POST ${inEnvironment}/off`, { params }];
    },
    'adding a strategy': async (params) => [`POST ${inEnvironment}/strategies`, { params, body: { name: 'default' } }],
    'changing a strategy': async (params) => [
      `PUT ${inEnvironment}/strategies/:strategyId`,
      { params: { ...params, strategyId: await strategy(params) }, body: { name: 'default', title: 'other' } },
    ],
    'deleting a strategy': async (params) => [
      `DELETE ${inEnvironment}/strategies/:strategyId`,
      { params: { ...params, strategyId: await strategy(params) } },
    ],
    'ordering strategies': async (params) => {
      const [first, second] = [await strategy(params), await strategy(params)];
      const body = [
        { id: second, sortOrder: 0 },
        { id: first, sortOrder: 1 },
      ];
      return [`POST ${inEnvironment}/strategies/set-sort-order`, { params, body }];
    },
    'setting variants': async (params) => [
      `PUT ${inEnvironment}/variants`,
      { params, body: [{ name: 'blue', weight: 1000 }] },
    ],
    'holding on': async (params) => [`POST ${inEnvironment}/leases`, { params, body: { effect: 'on' } }],
    'holding at another percentage': async (params) => {
      const body = (rollout: number) => ({ effect: 'rollout', rollout, key: 'canary' });
      await done(`POST ${inEnvironment}/leases`, { params, body: body(5) });
      return [`POST ${inEnvironment}/leases`, { params, body: body(50) }];
    },
    'removing the environment from the project': async (params) => [
      'DELETE /api/admin/projects/:projectId/environments/:environment',
      { params },
    ],
  };
  /** Changes that affect every environment of the project. */
  const inAll: Readonly<Record<string, (params: FlagEnvironmentParams) => Promise<Prepared>>> = {
    archiving: async (params) => [`DELETE ${flagRoute}`, { params }],
    'adding a dependency': async (params) => {
      const { featureName: feature } = await givenFlag(server(), {}, params.projectId);
      return [`POST ${flagRoute}/dependencies`, { params, body: { feature } }];
    },
    'removing a dependency': async (params) => [
      `DELETE ${flagRoute}/dependencies/:parent`,
      { params: { ...params, parent: await depending(params) } },
    ],
    'removing all dependencies': async (params) => {
      await depending(params);
      return [`DELETE ${flagRoute}/dependencies`, { params }];
    },
    'changing a segment': async ({ projectId }) => {
      const { id, name } = await givenSegment(server(), { project: projectId });
      return ['PUT /api/admin/segments/:id', { params: { id }, body: { name, project: projectId, constraints: [] } }];
    },
    'deleting a segment': async ({ projectId }) => {
      const { id } = await givenSegment(server(), { project: projectId });
      return ['DELETE /api/admin/segments/:id', { params: { id } }];
    },
    'moving to another project': async (params) => [
      `POST ${flagRoute}/changeProject`,
      { params, body: { newProjectId: await givenProject(server()) } },
    ],
  };
  /** Changes that do not affect SDKs. */
  const nowhere: Readonly<Record<string, (params: FlagEnvironmentParams) => Promise<Prepared>>> = {
    describing: async (params) => [`PUT ${flagRoute}`, { params, body: { description: 'new' } }],
    creating: async ({ projectId }) => [
      'POST /api/admin/projects/:projectId/features',
      { params: { projectId }, body: { name: freshName('flag') } },
    ],
    'holding off': async (params) => [`POST ${inEnvironment}/leases`, { params, body: { effect: 'off' } }],
  };

  async function given(
    prepare: ((params: FlagEnvironmentParams) => Promise<Prepared>) | undefined,
    reviewed: string[],
  ) {
    const projectId = await givenProject(server());
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    const [route, call] = (await prepare?.(params)) ?? [];
    if (route === undefined || call === undefined) throw new Error('unknown kind of change');
    for (const environment of reviewed) await givenReview(server(), projectId, environment);
    const target = (call.body as { newProjectId?: string } | undefined)?.newProjectId;
    const maintainer = await givenMaintainer(projectId, ...(target === undefined ? [] : [target]));
    const before = await lastEventId(server());
    const reply = await maintainer.client.call(route, call);
    if (reply.status !== 403) return reply.status < 300 ? reply.status : reply.text;
    expect(await eventsAfter(server(), before)).toEqual([]);
    return reply.json.permissions;
  }
  const skip = ['SKIP_CHANGE_REQUEST'];
  const ok = expect.toSatisfy((status: unknown) => typeof status === 'number' && status < 300);

  it.each(Object.keys(inOne))('by %s answers 403 in a reviewed environment only', async (kind) => {
    expect(await given(inOne[kind], ['production'])).toEqual(skip);
    expect(await given(inOne[kind], ['development'])).toEqual(ok);
  });

  it.each(Object.keys(inAll))('by %s answers 403 when any environment of the project is reviewed', async (kind) => {
    expect(await given(inAll[kind], ['development'])).toEqual(skip);
    expect(await given(inAll[kind], [])).toEqual(ok);
  });

  it.each(Object.keys(nowhere))('by %s needs no review', async (kind) => {
    expect(await given(nowhere[kind], ['development', 'production'])).toEqual(ok);
  });
});

describe('review of an environment', () => {
  const server = useServer();
  const approvalsOf = async (projectId: string): Promise<Record<string, number | null>> => {
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/change-requests/config', {
      params: { projectId },
    });
    return Object.fromEntries(
      json.map((settings: { environment: string; requiredApprovals: number | null }) => [
        settings.environment,
        settings.requiredApprovals,
      ]),
    );
  };
  const set = (projectId: string, environment: string, body: object) =>
    server().admin.call(config, { params: { projectId, environment }, body });

  it('is set and ended per project and environment', async () => {
    const [projectId, other] = [await givenProject(server()), await givenProject(server())];
    for (const project of [projectId, other]) {
      await givenReview(server(), project, 'development', 1);
      await givenReview(server(), project, 'production', 3);
    }
    await set(projectId, 'production', { changeRequestsEnabled: true, requiredApprovals: 2 });
    expect(await approvalsOf(projectId)).toEqual({ development: 1, production: 2 });
    await set(projectId, 'production', { changeRequestsEnabled: true });
    expect(await approvalsOf(projectId)).toEqual({ development: 1, production: 2 });
    await set(projectId, 'development', { changeRequestsEnabled: false });
    expect(await approvalsOf(projectId)).toEqual({ development: null, production: 2 });
    expect(await approvalsOf(other)).toEqual({ development: 1, production: 3 });
  });

  it('is copied to a cloned environment in each of its projects', async () => {
    const [reviewed, free] = [await givenProject(server()), await givenProject(server())];
    await givenReview(server(), reviewed, 'development', 4);
    await givenReview(server(), reviewed, 'production', 2);
    await givenReview(server(), free, 'development', 1);
    const name = freshName('env');
    const cloned = await server().admin.call('POST /api/admin/environments/:name/clone', {
      params: { name: 'production' },
      body: { name, type: 'production', projects: [reviewed, free] },
    });
    expect(cloned.status).toBe(200);
    expect(await approvalsOf(reviewed)).toEqual({ development: 4, production: 2, [name]: 2 });
    expect(await approvalsOf(free)).toEqual({ development: 1, production: null, [name]: null });
  });
});
