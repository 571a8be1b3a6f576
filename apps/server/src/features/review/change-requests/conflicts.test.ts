import { describe, expect, it } from 'vitest';
import { givenApproved, givenPlace, readRequest, requestChanges, setRequestState } from '#testing/change-requests.ts';
import type { Call } from '#testing/client.ts';
import { addStrategy, type FlagEnvironmentParams, givenFlag } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const flagRoute = '/api/admin/projects/:projectId/features/:featureName' as const;
const inEnvironment = `${flagRoute}/environments/:environment` as const;

/** A requested change, and direct changes made before it is applied. */
interface RequestedChange {
  readonly operation: object;
  /** Makes a direct change that the requested change would overwrite. */
  readonly conflictingChange: () => Promise<unknown>;
  readonly conflict: RegExp;
  /** Makes a direct change that does not conflict with the requested change. */
  readonly unrelatedChange: () => Promise<unknown>;
}

describe('applying a change request', () => {
  const server = useServer();

  async function call(route: Parameters<ReturnType<typeof server>['admin']['call']>[0], given: Call) {
    const reply = await server().admin.call(route, given);
    if (reply.status >= 300) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
  }
  const flag = async ({ projectId }: FlagEnvironmentParams) => (await givenFlag(server(), {}, projectId)).featureName;
  const strategy = (params: FlagEnvironmentParams) => addStrategy(server(), params, { name: 'default' });
  const inProduction = (params: FlagEnvironmentParams) => ({ ...params, environment: 'production' });
  const depend = ({ projectId }: FlagEnvironmentParams, featureName: string, feature: string) =>
    call(`POST ${flagRoute}/dependencies`, { params: { projectId, featureName }, body: { feature } });
  const variants = (params: FlagEnvironmentParams) =>
    call(`PUT ${inEnvironment}/variants`, { params, body: [{ name: 'blue', weight: 1000 }] });

  const setDefault = ({ projectId, environment }: FlagEnvironmentParams, body: object) =>
    call('POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
      params: { projectId, environment },
      body: { name: 'default', ...body },
    });
  const switchOn = async (params: FlagEnvironmentParams) => {
    const featureName = await flag(params);
    return { featureName, operation: { action: 'updateEnabled', feature: featureName, payload: { enabled: true } } };
  };

  const kinds: Readonly<Record<string, (params: FlagEnvironmentParams) => Promise<RequestedChange>>> = {
    'updateEnabled of a flag without a strategy': async (params) => ({
      operation: (await switchOn(params)).operation,
      conflictingChange: () => setDefault(params, { title: 'changed directly' }),
      conflict: /^The default strategy of the project, which the flag would get, has changed since/,
      unrelatedChange: () => setDefault(inProduction(params), { title: 'changed directly' }),
    }),
    'updateEnabled of a flag that gets a shared segment': async (params) => {
      const { featureName, operation } = await switchOn(params);
      const { id, name } = await givenSegment(server());
      await setDefault(params, { segments: [id] });
      const change = (body: object) =>
        call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints: [], ...body } });
      return {
        operation,
        conflictingChange: () => change({ constraints: [{ contextName: 'userId', operator: 'IN', values: ['eve'] }] }),
        conflict: /^The default strategy of the project, which the flag would get, has changed since/,
        unrelatedChange: async () => {
          await strategy({ ...params, featureName });
          await setDefault(params, { title: 'changed directly' });
        },
      };
    },
    reorderStrategy: async (params) => {
      const [first, second] = [await strategy(params), await strategy(params)];
      const payload = [
        { id: second, sortOrder: 0 },
        { id: first, sortOrder: 1 },
      ];
      return {
        operation: { action: 'reorderStrategy', feature: params.featureName, payload },
        conflictingChange: () => strategy(params),
        conflict: /^The strategies were reordered, added or deleted since/,
        unrelatedChange: async () => {
          await strategy(inProduction(params));
          await strategy({ ...params, featureName: await flag(params) });
        },
      };
    },
    deleteStrategy: async (params) => {
      const [first, second] = [await strategy(params), await strategy(params)];
      const change = (strategyId: string) =>
        call(`PUT ${inEnvironment}/strategies/:strategyId`, {
          params: { ...params, strategyId },
          body: { name: 'default', title: 'changed directly' },
        });
      return {
        operation: { action: 'deleteStrategy', feature: params.featureName, payload: { id: first } },
        conflictingChange: () => change(first),
        conflict: new RegExp(`^The strategy ${first} has changed since`),
        unrelatedChange: async () => {
          await change(second);
          const body = [
            { id: second, sortOrder: 0 },
            { id: first, sortOrder: 1 },
          ];
          await call(`POST ${inEnvironment}/strategies/set-sort-order`, { params, body });
        },
      };
    },
    patchVariant: async (params) => ({
      operation: {
        action: 'patchVariant',
        feature: params.featureName,
        payload: { variants: [{ name: 'a', weight: 1000 }] },
      },
      conflictingChange: () => variants(params),
      conflict: /^The variants have changed since/,
      unrelatedChange: async () => {
        await variants(inProduction(params));
        await variants({ ...params, featureName: await flag(params) });
      },
    }),
    addDependency: async (params) => {
      const parent = await flag(params);
      return {
        operation: { action: 'addDependency', feature: params.featureName, payload: { feature: parent } },
        conflictingChange: async () => depend(params, params.featureName, await flag(params)),
        conflict: /^The dependencies of the flag have changed since/,
        unrelatedChange: async () => depend(params, await flag(params), parent),
      };
    },
    deleteDependency: async (params) => {
      const parent = await flag(params);
      await depend(params, params.featureName, parent);
      return {
        operation: { action: 'deleteDependency', feature: params.featureName },
        conflictingChange: async () => depend(params, params.featureName, await flag(params)),
        conflict: /^The dependencies of the flag have changed since/,
        unrelatedChange: async () => depend(params, await flag(params), parent),
      };
    },
    updateSegment: async ({ projectId }) => {
      const [{ id, name }, other] = [
        await givenSegment(server(), { project: projectId }),
        await givenSegment(server(), { project: projectId }),
      ];
      const empty = (segment: { id: number; name: string }) =>
        call('PUT /api/admin/segments/:id', {
          params: { id: segment.id },
          body: { name: segment.name, project: projectId, constraints: [] },
        });
      return {
        operation: { action: 'updateSegment', payload: { id, name, project: projectId, constraints: [] } },
        conflictingChange: () => empty({ id, name }),
        conflict: new RegExp(`^The segment ${id} has changed since`),
        unrelatedChange: () => empty(other),
      };
    },
    deleteSegment: async ({ projectId }) => {
      const [{ id }, other] = [
        await givenSegment(server(), { project: projectId }),
        await givenSegment(server(), { project: projectId }),
      ];
      const remove = (segment: number) => call('DELETE /api/admin/segments/:id', { params: { id: segment } });
      return {
        operation: { action: 'deleteSegment', payload: { id } },
        conflictingChange: () => remove(id),
        conflict: new RegExp(`^The segment ${id} was deleted`),
        unrelatedChange: () => remove(other.id),
      };
    },
  };

  /** Creates an administrator's request with one change of the kind, in an environment without review. */
  async function given(kind: string) {
    const { params } = await givenPlace(server(), 0);
    const requested = await kinds[kind]?.(params);
    if (requested === undefined) throw new Error(`unknown kind of change: ${kind}`);
    const { id } = await requestChanges(server().admin, params, requested.operation);
    await setRequestState(server().admin, params.projectId, id, 'In review');
    return { ...requested, at: { projectId: params.projectId, id } };
  }
  const apply = (params: { readonly projectId: string; readonly id: number }) =>
    server().admin.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
      params,
      body: { state: 'Applied' },
    });

  it.each(Object.keys(kinds))('with %s answers 409 when the same target was changed directly', async (kind) => {
    const { at, conflictingChange, conflict } = await given(kind);
    await conflictingChange();
    const refused = await apply(at);
    expect([refused.status, refused.json.details]).toMatchObject([
      409,
      [{ path: 'changes.0', message: expect.stringMatching(conflict) }],
    ]);
    expect((await readRequest(server(), at.projectId, at.id)).state).toBe('Approved');
  });

  it.each(Object.keys(kinds))('with %s succeeds when something else was changed directly', async (kind) => {
    const { at, unrelatedChange } = await given(kind);
    await unrelatedChange();
    const applied = await apply(at);
    expect([applied.status, applied.json.state]).toEqual([200, 'Applied']);
  });

  it('is refused for a new flag with the name of the deleted flag', async () => {
    const { params, at } = await givenApproved(server());
    await call(`DELETE ${flagRoute}`, { params });
    await call('DELETE /api/admin/archive/:featureName', { params });
    server().clock.advance(1000);
    await givenFlag(server(), { name: params.featureName }, params.projectId);
    const reply = await server().admin.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
      params: at,
      body: { state: 'Applied' },
    });
    expect([reply.status, reply.json.details[0].message]).toEqual([
      409,
      expect.stringContaining(`The flag ${params.featureName} was deleted, and another one was created`),
    ]);
  });
});
