import { permissions as allPermissions, type Permission } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenRole, giveRoles } from '#testing/access.ts';
import { addStrategy, freshName, givenArchived, givenFlag, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const environment = 'development';
const features = '/api/admin/projects/:projectId/features/:featureName' as const;

/** All permissions that a role of a project can grant. */
const ofProjects = (Object.keys(allPermissions) as Permission[]).filter((name) => allPermissions[name].type !== 'root');

type Flag = Readonly<Record<'projectId' | 'featureName', string>>;

interface Change {
  readonly permission: Permission;
  /** Prepares the flag, and returns its state after the change; undefined for a flag that is not in the state. */
  readonly to: (flag: Flag) => Promise<object | undefined>;
  readonly prune?: boolean;
}

const tag = { type: 'simple', value: 'checkout' };
const environments = (state: object) => ({ environments: { [environment]: state } });
const strategy = { name: 'flexibleRollout', parameters: { rollout: '50', stickiness: 'userId', groupId: 'g' } };
const addTag = (params: Flag) =>
  server().admin.call('POST /api/admin/features/:featureName/tags', { params, body: tag });
const addParent = async ({ projectId, featureName }: Flag) => {
  const parent = (await givenFlag(server(), {}, projectId)).featureName;
  const params = { projectId, featureName };
  await server().admin.call(`POST ${features}/dependencies`, { params, body: { feature: parent } });
  return parent;
};

/** Changes of a flag, each with the permission that it needs. */
const changes: Readonly<Record<string, Change>> = {
  'the description': { permission: 'UPDATE_FEATURE', to: async () => ({ description: 'New' }) },
  'a flag that becomes stale': { permission: 'UPDATE_FEATURE', to: async () => ({ stale: true }) },
  'a new tag': { permission: 'UPDATE_FEATURE', to: async () => ({ tags: ['simple:checkout'] }) },
  'a tag less': {
    permission: 'UPDATE_FEATURE',
    to: async (flag) => {
      await addTag(flag);
      return { tags: [] };
    },
  },
  'a new link': { permission: 'UPDATE_FEATURE', to: async () => ({ links: [{ url: 'https://example.com/' }] }) },
  'a parent': {
    permission: 'UPDATE_FEATURE_DEPENDENCY',
    to: async ({ projectId }) => ({ dependsOn: { flag: (await givenFlag(server(), {}, projectId)).featureName } }),
  },
  'a parent less': {
    permission: 'UPDATE_FEATURE_DEPENDENCY',
    to: async (flag) => {
      await addParent(flag);
      return { dependsOn: null };
    },
  },
  'a flag that is switched on': {
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    to: async (flag) => {
      await addStrategy(server(), { ...flag, environment }, strategy);
      return environments({ enabled: true });
    },
  },
  'a new strategy': { permission: 'CREATE_FEATURE_STRATEGY', to: async () => environments({ strategies: [strategy] }) },
  'another strategy': {
    permission: 'UPDATE_FEATURE_STRATEGY',
    to: async (flag) => {
      await addStrategy(server(), { ...flag, environment }, strategy);
      return environments({ strategies: [{ ...strategy, parameters: { ...strategy.parameters, rollout: '60' } }] });
    },
  },
  'a strategy less': {
    permission: 'DELETE_FEATURE_STRATEGY',
    to: async (flag) => {
      await addStrategy(server(), { ...flag, environment }, strategy);
      return environments({ strategies: [] });
    },
  },
  'a variant': {
    permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    to: async () => environments({ variants: [{ name: 'blue', weight: 1000 }] }),
  },
  'a flag that is archived': { permission: 'DELETE_FEATURE', to: async () => undefined, prune: true },
};

/** A caller whose role grants all permissions of projects but one. */
async function givenCallerWithout(missing: Permission | undefined, projectId: string): Promise<Caller> {
  const permissions = ofProjects
    .filter((name) => name !== missing)
    .map((name) => (allPermissions[name].type === 'environment' ? { name, environment } : { name }));
  const { id } = await givenRole(server(), { permissions });
  const caller = await givenCaller(server());
  await giveRoles(server(), projectId, [id], { users: [caller.id] });
  return caller;
}

/** Applies the state of a flag after a change, as a caller. */
async function apply(caller: Caller, { projectId, featureName }: Flag, { to, prune = false }: Change) {
  const after = await to({ projectId, featureName });
  const { json } = await server().admin.call('GET /api/admin/state', { query: { projects: projectId } });
  const { [featureName]: before, ...others } = json.projects[projectId].flags;
  const flags = after === undefined ? others : { ...others, [featureName]: { ...before, ...after } };
  const state = { ...json, projects: { [projectId]: { ...json.projects[projectId], flags } } };
  const planned = await caller.client.call('POST /api/admin/state/plan', { body: { state, prune } });
  const { status, json: answer } = await caller.client.call('POST /api/admin/state/apply', { body: { state, prune } });
  const needed = planned.json.permissions.map(({ message }: { message: string }) => message);
  return { status, errors: planned.json.errors, needed, refused: answer.permissions };
}

const refusedFor = (permission: Permission) => {
  const needed = [expect.stringContaining(`You need the permission ${permission} in `)];
  return { status: 403, errors: [], needed, refused: [permission] };
};

describe.each(Object.entries(changes))('as state, %s', (_what, change) => {
  let projectId: string;
  let flag: Flag;
  beforeAll(async () => {
    projectId = await givenProject(server());
    flag = await givenFlag(server(), { name: freshName('state-flag') }, projectId);
  });

  it('needs its permission, which all others do not replace, and nothing else', async () => {
    const { permission } = change;
    const lacking = await givenCallerWithout(permission, projectId);
    expect(await apply(lacking, flag, change)).toEqual(refusedFor(permission));
    const able = await givenCallerWithout(undefined, projectId);
    expect(await apply(able, flag, change)).toMatchObject({ status: 200, errors: [], needed: [] });
  });
});

describe('as state, flags that exist or existed elsewhere', () => {
  it.each([
    ['a new flag', 'CREATE_FEATURE', async () => freshName('new')],
    [
      'an archived flag',
      'UPDATE_FEATURE',
      async (project: string) => (await givenArchived(server(), project)).featureName,
    ],
  ] as const)('%s needs its permission', async (_what, permission, nameIn) => {
    const projectId = await givenProject(server());
    const flag = { projectId, featureName: await nameIn(projectId) };
    const change = { permission, to: async () => ({ type: 'release' }) };
    const lacking = await givenCallerWithout(permission, projectId);
    expect(await apply(lacking, flag, change)).toEqual(refusedFor(permission));
    const able = await givenCallerWithout(undefined, projectId);
    expect(await apply(able, flag, change)).toMatchObject({ status: 200, errors: [], needed: [] });
  });
});
