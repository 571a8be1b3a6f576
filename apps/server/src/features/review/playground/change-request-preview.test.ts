import { playgroundRoutes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { givenCaller, giveRoles } from '#testing/access.ts';
import { givenPlace, requestChanges, setRequestState } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { addStrategy, givenFlag } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';

const server = useServer();
const route = 'POST /api/admin/playground/change-request/:id' as const;

/** Returns the previewed result for a context, by flag name. */
async function after(id: number, context: object, client: ApiClient = server().admin) {
  const reply = await client.call(route, { params: { id }, body: { context: { appName: 'a test', ...context } } });
  expect(reply.status, reply.text).toBe(200);
  const schema = playgroundRoutes[route].answers[200].schema as z.ZodType;
  expect(schema.safeParse(reply.json).error).toBeUndefined();
  const features = reply.json.features as { name: string; environments: { development: { isEnabled: boolean }[] } }[];
  return new Map(features.map(({ name, environments }) => [name, environments.development[0]?.isEnabled]));
}

/** Creates a change request of an administrator and sends it to review. */
async function requested(params: Awaited<ReturnType<typeof givenPlace>>['params'], changes: readonly object[]) {
  const { id } = await requestChanges(server().admin, params, changes);
  await setRequestState(server().admin, params.projectId, id, 'In review');
  return id as number;
}

describe('the playground for a change request', () => {
  it('shows the configured state under a hold', async () => {
    const { params } = await givenPlace(server());
    await givenHold(server(), params);
    const id = await requested(params, [
      { action: 'updateEnabled', feature: params.featureName, payload: { enabled: true } },
    ]);
    const reply = await server().admin.call(route, { params: { id }, body: { context: { appName: 'a test' } } });
    const flag = reply.json.features.find(({ name }: { name: string }) => name === params.featureName);
    expect(flag.environments.development).toMatchObject([
      { isEnabled: false, isConfiguredOn: true, lease: { effect: 'off', heldBy: { kind: 'person' } } },
    ]);
  });

  it('evaluates changed states, strategies, segments and dependent flags', async () => {
    const { params } = await givenPlace(server());
    const { projectId, featureName: parent } = params;
    const { featureName: child } = await givenFlag(server(), {}, projectId);
    const { featureName: gone } = await givenFlag(server(), {}, projectId);
    const segment = await givenSegment(server(), { project: projectId });
    await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/dependencies', {
      params: { projectId, featureName: child },
      body: { feature: parent },
    });
    await addStrategy(server(), { ...params, featureName: child }, { name: 'default', segments: [segment.id] });
    const sdk = await givenSdk(server(), { projects: [projectId], environment: 'development' });
    const served = async () => (await sdk.call('GET /api/client/features')).text;
    const before = await served();
    const id = await requested(params, [
      { action: 'updateEnabled', feature: parent, payload: { enabled: true } },
      { action: 'updateEnabled', feature: child, payload: { enabled: true } },
      { action: 'archiveFeature', feature: gone },
      {
        action: 'updateSegment',
        payload: { ...segment, constraints: [{ contextName: 'country', operator: 'IN', values: ['SE'] }] },
      },
    ]);
    expect(await after(id, { properties: { country: 'SE' } })).toEqual(
      new Map([
        [parent, true],
        [child, true],
      ]),
    );
    expect((await after(id, { properties: { country: 'NO' } })).get(child)).toBe(false);
    expect(await served()).toBe(before);
  });

  it('evaluates a changed segment that was not used before', async () => {
    const { params } = await givenPlace(server());
    const segment = await givenSegment(server());
    const strategy = { name: 'default', segments: [segment.id] };
    const id = await requested(params, [
      { action: 'addStrategy', feature: params.featureName, payload: strategy },
      { action: 'updateEnabled', feature: params.featureName, payload: { enabled: true } },
    ]);
    expect((await after(id, { properties: { country: 'NO' } })).get(params.featureName)).toBe(true);
    expect((await after(id, { properties: { country: 'SE' } })).get(params.featureName)).toBe(false);
  });

  it('needs no permission to apply the change request', async () => {
    const { params } = await givenPlace(server());
    const id = await requested(params, [
      { action: 'updateEnabled', feature: params.featureName, payload: { enabled: true } },
    ]);
    await server().admin.call('PUT /api/admin/projects/:projectId/settings', {
      params: { projectId: params.projectId },
      body: { mode: 'private' },
    });
    const viewer = await givenCaller(server(), 3);
    const context = { appName: 'x' };
    expect((await viewer.client.call(route, { params: { id }, body: { context } })).status).toBe(404);
    await giveRoles(server(), params.projectId, [5], { users: [viewer.id] });
    expect(await after(id, {}, viewer.client)).toEqual(new Map([[params.featureName, true]]));
  });
});
