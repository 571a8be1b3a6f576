import { describe, expect, it } from 'vitest';
import { itemAt } from '#kernel/lists.ts';
import type { ApiClient, Reply } from '#testing/client.ts';
import { addStrategy, givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

const newer = { headers: { 'unleash-client-spec': '4.2.0' } };
const features = (sdk: ApiClient, call: Parameters<ApiClient['call']>[1] = {}) =>
  sdk.call('GET /api/client/features', call);
const etagOf = ({ headers }: Reply): string => headers.get('etag') ?? 'none';
const strategiesOf = ({ json }: Reply, featureName: string) =>
  json.features.find(({ name }: { name: string }) => name === featureName)?.strategies;

const constraint = (contextName: string, ...values: string[]) => ({
  contextName,
  operator: 'IN',
  values,
  inverted: false,
  caseInsensitive: false,
});

const own = constraint('plan', 'pro');

/** Creates a flag in development with a strategy that has a constraint and two segments. */
async function givenSegmented(server: TestServer) {
  const userSegment = await givenSegment(server, {
    constraints: [constraint('country', 'NO'), constraint('age', '7')],
  });
  const regionSegment = await givenSegment(server, { constraints: [constraint('region', 'eu')] });
  const params = await givenFlagIn(server);
  const strategy = { name: 'default', constraints: [own], segments: [regionSegment.id, userSegment.id] };
  const strategyId = await addStrategy(server, params, strategy);
  return { userSegment, regionSegment, params: { ...params, strategyId } };
}

async function change(server: TestServer, { id, name }: { id: number; name: string }, ...constraints: object[]) {
  const body = { name, constraints };
  expect((await server.admin.call('PUT /api/admin/segments/:id', { params: { id }, body })).status).toBe(204);
}

describe('segments in SDK answers', () => {
  const server = useServer();

  it('are a separate list for SDKs that support it, and are inlined in the constraints for others', async () => {
    const { userSegment, regionSegment, params } = await givenSegmented(server());
    const sdk = await givenSdk(server());
    const apart = await features(sdk, newer);
    expect(strategiesOf(apart, params.featureName)).toEqual([
      {
        name: 'default',
        constraints: [own],
        parameters: {},
        variants: [],
        segments: [userSegment.id, regionSegment.id],
      },
    ]);
    expect(apart.json.segments).toEqual([
      {
        id: userSegment.id,
        name: userSegment.name,
        constraints: [constraint('country', 'NO'), constraint('age', '7')],
      },
      { id: regionSegment.id, name: regionSegment.name, constraints: [constraint('region', 'eu')] },
    ]);
    const inline = await features(sdk, { headers: { 'unleash-client-spec': '4.1.9' } });
    expect(inline.json).not.toHaveProperty('segments');
    const all = [own, constraint('country', 'NO'), constraint('age', '7'), constraint('region', 'eu')];
    expect(strategiesOf(inline, params.featureName)).toEqual([
      { name: 'default', constraints: all, parameters: {}, variants: [] },
    ]);
    const alone = await sdk.call('GET /api/client/features/:featureName', { params, ...newer });
    expect(alone.json.strategies[0].constraints).toEqual(all);
  });

  it('without constraints add no constraints', async () => {
    const { id, name } = await givenSegment(server(), { constraints: [] });
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, { name: 'default', segments: [id] });
    const sdk = await givenSdk(server());
    expect(strategiesOf(await features(sdk), params.featureName)).toMatchObject([{ constraints: [] }]);
    expect((await features(sdk, newer)).json.segments).toContainEqual({ id, name, constraints: [] });
  });

  it('are added to a strategy, or removed, as soon as the change is answered', async () => {
    const { regionSegment, params } = await givenSegmented(server());
    const sdk = await givenSdk(server());
    const before = etagOf(await features(sdk, newer));
    const body = { projectId: 'default', environmentId: 'development', strategyId: params.strategyId };
    const route = 'POST /api/admin/segments/strategies';
    await server().admin.call(route, { body: { ...body, segmentIds: [regionSegment.id] } });
    const after = await features(sdk, newer);
    expect(etagOf(after)).not.toBe(before);
    expect(strategiesOf(after, params.featureName)).toMatchObject([{ segments: [regionSegment.id] }]);
    await server().admin.call(route, { body: { ...body, segmentIds: [] } });
    expect(strategiesOf(await features(sdk, newer), params.featureName)[0]).not.toHaveProperty('segments');
  });

  it('change as soon as the change is answered, with a new ETag in every environment', async () => {
    const { userSegment, regionSegment, params } = await givenSegmented(server());
    const elsewhere = { ...params, environment: 'production' };
    await addStrategy(server(), elsewhere, { name: 'default', segments: [regionSegment.id] });
    const sdks = [await givenSdk(server()), await givenSdk(server(), { environment: 'production' })];
    const ask = () => Promise.all(sdks.flatMap((sdk) => [features(sdk), features(sdk, newer)]));
    const before = await ask();
    await change(server(), regionSegment, constraint('region', 'us'));
    const after = await ask();
    for (const [index, reply] of after.entries()) expect(etagOf(reply)).not.toBe(etagOf(itemAt(before, index)));
    const [inline, apart, inlineThere] = after as [Reply, Reply, Reply];
    const changed = constraint('region', 'us');
    expect(strategiesOf(inline, params.featureName)[0].constraints).toContainEqual(changed);
    expect(strategiesOf(inlineThere, params.featureName)[0].constraints).toEqual([changed]);
    const shown = (id: number) => apart.json.segments.find((segment: { id: number }) => segment.id === id);
    expect(shown(regionSegment.id)).toEqual({ id: regionSegment.id, name: regionSegment.name, constraints: [changed] });
    expect(shown(userSegment.id).constraints).toHaveLength(2);
  });

  it('are left out when no flag uses them, and creating or deleting them keeps the ETag', async () => {
    const sdk = await givenSdk(server());
    const before = await features(sdk, newer);
    const { id } = await givenSegment(server());
    await server().admin.call('DELETE /api/admin/segments/:id', { params: { id } });
    await givenSegment(server());
    const after = await features(sdk, newer);
    expect(etagOf(after)).toBe(etagOf(before));
    expect(after.text).toBe(before.text);
  });

  it('are left out when only flags outside the token’s scope use them', async () => {
    const { userSegment } = await givenSegmented(server());
    const projectId = await givenProject(server());
    const mine = await givenSegment(server(), { project: projectId });
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'development' };
    await addStrategy(server(), params, { name: 'default', segments: [mine.id] });
    await addStrategy(
      server(),
      { ...params, environment: 'production' },
      { name: 'default', segments: [userSegment.id] },
    );
    const sdk = await givenSdk(server(), { projects: [projectId] });
    expect((await features(sdk, newer)).json.segments).toMatchObject([{ id: mine.id }]);
  });

  it('are the same after a restart, with the same ETag', async () => {
    const storage = await createStorage();
    const first = await startServer(storage);
    const { secret } = await givenToken(first);
    const { userSegment } = await givenSegmented(first);
    await change(first, userSegment, constraint('country', 'SE'));
    const before = [await features(first.client(secret)), await features(first.client(secret), newer)];
    await first.stop();
    const second = await startServer(storage);
    const after = [await features(second.client(secret)), await features(second.client(secret), newer)];
    await second.stop();
    await storage.remove();
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    expect(after.map(etagOf)).toEqual(before.map(etagOf));
    expect(before[0]?.text).toContain('"SE"');
  });
});
