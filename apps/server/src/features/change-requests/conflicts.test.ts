import { describe, expect, it } from 'vitest';
import { ask, bring, givenPlace, readRequest } from '../../../testing/change-requests.ts';
import type { Call } from '../../../testing/client.ts';
import { addStrategy, type FlagEnvironmentParams, givenFlag } from '../../../testing/flags.ts';
import { givenSegment } from '../../../testing/segments.ts';
import { useServer } from '../../../testing/server.ts';

const flagRoute = '/api/admin/projects/:projectId/features/:featureName' as const;
const inEnvironment = `${flagRoute}/environments/:environment` as const;

/** A change that was asked for, and direct changes made before it is applied. */
interface Asked {
  readonly doing: object;
  /** A direct change that the requested one would overwrite or undo. */
  readonly meddle: () => Promise<unknown>;
  readonly conflict: RegExp;
  /** A direct change nearby that the requested one does not touch. */
  readonly aside: () => Promise<unknown>;
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

  const kinds: Readonly<Record<string, (params: FlagEnvironmentParams) => Promise<Asked>>> = {
    reorderStrategy: async (params) => {
      const [first, second] = [await strategy(params), await strategy(params)];
      const payload = [
        { id: second, sortOrder: 0 },
        { id: first, sortOrder: 1 },
      ];
      return {
        doing: { action: 'reorderStrategy', feature: params.featureName, payload },
        meddle: () => strategy(params),
        conflict: /^The order of the strategies was changed since/,
        aside: async () => {
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
          body: { name: 'default', title: 'kept by somebody' },
        });
      return {
        doing: { action: 'deleteStrategy', feature: params.featureName, payload: { id: first } },
        meddle: () => change(first),
        conflict: new RegExp(`^The strategy ${first} was changed since`),
        aside: async () => {
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
      doing: {
        action: 'patchVariant',
        feature: params.featureName,
        payload: { variants: [{ name: 'a', weight: 1000 }] },
      },
      meddle: () => variants(params),
      conflict: /^The variants were changed since/,
      aside: async () => {
        await variants(inProduction(params));
        await variants({ ...params, featureName: await flag(params) });
      },
    }),
    addDependency: async (params) => {
      const parent = await flag(params);
      return {
        doing: { action: 'addDependency', feature: params.featureName, payload: { feature: parent } },
        meddle: async () => depend(params, params.featureName, await flag(params)),
        conflict: /^What the flag depends on was changed since/,
        aside: async () => depend(params, await flag(params), parent),
      };
    },
    deleteDependency: async (params) => {
      const parent = await flag(params);
      await depend(params, params.featureName, parent);
      return {
        doing: { action: 'deleteDependency', feature: params.featureName },
        meddle: async () => depend(params, params.featureName, await flag(params)),
        conflict: /^What the flag depends on was changed since/,
        aside: async () => depend(params, await flag(params), parent),
      };
    },
    updateSegment: async ({ projectId }) => {
      const [{ id, name }, other] = [
        await givenSegment(server(), { project: projectId }),
        await givenSegment(server(), { project: projectId }),
      ];
      const empty = (one: { id: number; name: string }) =>
        call('PUT /api/admin/segments/:id', {
          params: { id: one.id },
          body: { name: one.name, project: projectId, constraints: [] },
        });
      return {
        doing: { action: 'updateSegment', payload: { id, name, project: projectId, constraints: [] } },
        meddle: () => empty({ id, name }),
        conflict: new RegExp(`^The segment ${id} was changed since`),
        aside: () => empty(other),
      };
    },
    deleteSegment: async ({ projectId }) => {
      const [{ id }, other] = [
        await givenSegment(server(), { project: projectId }),
        await givenSegment(server(), { project: projectId }),
      ];
      const remove = (segment: number) => call('DELETE /api/admin/segments/:id', { params: { id: segment } });
      return {
        doing: { action: 'deleteSegment', payload: { id } },
        meddle: () => remove(id),
        conflict: new RegExp(`^The segment ${id} was deleted`),
        aside: () => remove(other.id),
      };
    },
  };

  /** A request of an administrator that needs no review, with one change of that kind. */
  async function given(kind: string) {
    const { params } = await givenPlace(server(), 0);
    const asked = await kinds[kind]?.(params);
    if (asked === undefined) throw new Error(`no change of the kind ${kind}`);
    const { id } = await ask(server().admin, params, asked.doing);
    await bring(server().admin, params.projectId, id, 'In review');
    return { ...asked, at: { projectId: params.projectId, id } };
  }
  const apply = (params: { readonly projectId: string; readonly id: number }) =>
    server().admin.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
      params,
      body: { state: 'Applied' },
    });

  it.each(Object.keys(kinds))('with %s is refused once that was changed directly, and says so', async (kind) => {
    const { at, meddle, conflict } = await given(kind);
    await meddle();
    const refused = await apply(at);
    expect([refused.status, refused.json.details]).toMatchObject([
      409,
      [{ path: 'changes.0', message: expect.stringMatching(conflict) }],
    ]);
    expect((await readRequest(server(), at.projectId, at.id)).state).toBe('Approved');
  });

  it.each(Object.keys(kinds))('with %s is not refused for a direct change of something else', async (kind) => {
    const { at, aside } = await given(kind);
    await aside();
    const applied = await apply(at);
    expect([applied.status, applied.json.state]).toEqual([200, 'Applied']);
  });
});
