import { describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '#testing/client.ts';
import { addStrategy, givenFlag, givenFlagIn, givenProject, switchFlag } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

const features = (sdk: ApiClient, call: Parameters<ApiClient['call']>[1] = {}) =>
  sdk.call('GET /api/client/features', call);
const names = ({ json }: Reply): string[] => json.features.map(({ name }: { name: string }) => name);
const etagOf = ({ headers }: Reply): string => headers.get('etag') ?? 'none';

describe('GET /api/client/features', () => {
  const server = useServer();

  it('includes a change as soon as the change is answered', async () => {
    const sdk = await givenSdk(server());
    const params = await givenFlagIn(server());
    const stateOf = async () =>
      (await features(sdk)).json.features.find(({ name }: { name: string }) => name === params.featureName);
    expect(await stateOf()).toMatchObject({ enabled: false, strategies: [] });
    const strategyId = await addStrategy(server(), params, {
      name: 'flexibleRollout',
      parameters: { rollout: 30, stickiness: 'userId', groupId: 'g' },
      constraints: [{ contextName: 'country', operator: 'IN', values: ['se'] }],
      variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' }],
    });
    await switchFlag(server(), params, 'on');
    expect(await stateOf()).toMatchObject({
      enabled: true,
      strategies: [
        {
          name: 'flexibleRollout',
          parameters: { rollout: '30', stickiness: 'userId', groupId: 'g' },
          constraints: [{ contextName: 'country', operator: 'IN', values: ['se'] }],
          variants: [{ name: 'blue', weight: 1000 }],
        },
      ],
    });
    expect((await stateOf()).strategies[0]).not.toHaveProperty('id');
    await server().admin.call(
      'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
      { params: { ...params, strategyId }, body: [{ op: 'replace', path: '/disabled', value: true }] },
    );
    expect((await stateOf()).strategies).toEqual([]);
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
    expect(await stateOf()).toBeUndefined();
    await server().admin.call('POST /api/admin/archive/revive/:featureName', { params });
    expect(await stateOf()).toMatchObject({ enabled: false });
  });

  it('differs by environment, and keeps its ETag when another environment changes', async () => {
    const [development, production] = [
      await givenSdk(server()),
      await givenSdk(server(), { environment: 'production' }),
    ];
    const params = await givenFlagIn(server());
    const before = { development: await features(development), production: await features(production) };
    await switchFlag(server(), params, 'on');
    const after = { development: await features(development), production: await features(production) };
    expect(etagOf(after.development)).not.toBe(etagOf(before.development));
    expect(after.production.text).toBe(before.production.text);
    expect(etagOf(after.production)).toBe(etagOf(before.production));
    const enabled = (reply: Reply) =>
      reply.json.features.find(({ name }: { name: string }) => name === params.featureName).enabled;
    expect([enabled(after.development), enabled(after.production)]).toEqual([true, false]);
  });

  it('keeps its ETag after changes that do not affect SDKs', async () => {
    const sdk = await givenSdk(server());
    const before = etagOf(await features(sdk));
    await givenToken(server());
    await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'other' } });
    expect(etagOf(await features(sdk))).toBe(before);
  });

  it('returns the flags of the token’s projects and no others', async () => {
    const [mine, others] = [await givenProject(server()), await givenProject(server())];
    const flag = await givenFlag(server(), {}, mine);
    const another = await givenFlag(server(), {}, others);
    const sdkOfMine = await givenSdk(server(), { projects: [mine] });
    const sdkOfBoth = await givenSdk(server(), { projects: [others, mine] });
    expect(names(await features(sdkOfMine))).toEqual([flag.featureName]);
    expect(names(await features(sdkOfBoth)).toSorted()).toEqual([flag.featureName, another.featureName].toSorted());
    // The scope of the token takes precedence over the query.
    const filtered = await features(sdkOfMine, { query: { project: others, environment: 'production' } });
    expect(names(filtered)).toEqual([flag.featureName]);
    expect(filtered.json.query).toMatchObject({ environment: 'development', project: [mine] });
    const byName = (featureName: string) =>
      sdkOfMine.call('GET /api/client/features/:featureName', { params: { featureName } });
    expect((await byName(flag.featureName)).json).toMatchObject({ name: flag.featureName, project: mine });
    expect((await byName(another.featureName)).status).toBe(404);
  });

  it('filters by project, name prefix and tags', async () => {
    const [first, second] = [await givenProject(server()), await givenProject(server())];
    await givenFlag(server(), { name: 'narrow.blue', tags: [{ type: 'simple', value: 'blue' }] }, first);
    await givenFlag(server(), { name: 'narrow.green', tags: [{ type: 'simple', value: 'green' }] }, second);
    await givenFlag(server(), { name: 'other.plain' }, second);
    const sdk = await givenSdk(server());
    const namesFor = async (query: string) =>
      names(await sdk.request('GET', `/api/client/features?${query}`, {})).filter((name) => /narrow|plain/.test(name));
    expect(await namesFor(`project=${second}`)).toEqual(['narrow.green', 'other.plain']);
    expect(await namesFor(`project=${first}&project=${second}`)).toEqual([
      'narrow.blue',
      'narrow.green',
      'other.plain',
    ]);
    expect(await namesFor('namePrefix=narrow.')).toEqual(['narrow.blue', 'narrow.green']);
    expect(await namesFor('tag=simple:blue')).toEqual(['narrow.blue']);
    expect(await namesFor('tag=simple:blue&tag=simple:green')).toEqual(['narrow.blue', 'narrow.green']);
    expect(await namesFor(`tag=simple:blue&tag=simple:green&project=${second}`)).toEqual(['narrow.green']);
    expect(await namesFor('unknown=1&namePrefix=nothing')).toEqual([]);
    const { json } = await sdk.request('GET', '/api/client/features?tag=simple:b&tag=simple:a&namePrefix=n', {});
    expect(json.query).toEqual({
      environment: 'development',
      tag: [
        ['simple', 'a'],
        ['simple', 'b'],
      ],
      namePrefix: 'n',
      inlineSegmentConstraints: true,
    });
  });

  it('filters by a tag whose type has all characters that the name of a type may have', async () => {
    const type = 'ops-team.v2~x_y';
    await server().admin.call('POST /api/admin/tag-types', { body: { name: type } });
    const { featureName } = await givenFlag(server(), { tags: [{ type, value: 'red' }] });
    expect(names(await features(await givenSdk(server()), { query: { tag: `${type}:red` } }))).toEqual([featureName]);
  });

  it('includes a flag as soon as it has the tag of the filter', async () => {
    const params = await givenFlag(server());
    const sdk = await givenSdk(server());
    const tagged = async () => names(await features(sdk, { query: { tag: 'simple:late' } }));
    expect(await tagged()).toEqual([]);
    await server().admin.call('POST /api/admin/features/:featureName/tags', {
      params,
      body: { type: 'simple', value: 'late' },
    });
    expect(await tagged()).toEqual([params.featureName]);
  });

  it('returns a flag as off after its environment was removed from the project', async () => {
    const projectId = await givenProject(server(), { environments: ['development', 'production'] });
    const params = { ...(await givenFlagIn(server())), projectId };
    await givenFlag(server(), { name: `in-${projectId}` }, projectId);
    const sdk = await givenSdk(server(), { projects: [projectId] });
    await switchFlag(server(), { ...params, featureName: `in-${projectId}` }, 'on');
    expect((await features(sdk)).json.features[0].enabled).toBe(true);
    const before = etagOf(await features(sdk));
    await switchFlag(server(), { ...params, featureName: `in-${projectId}` }, 'off');
    await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', { params });
    const after = await features(sdk);
    expect(etagOf(after)).not.toBe(before);
    expect(after.json.features).toMatchObject([{ enabled: false, strategies: [] }]);
  });
});

describe('GET /api/client/features with authentication off', () => {
  const server = useServer({ authType: 'none' });

  it('returns all flags of development without a token, and answers 401 to a wrong token', async () => {
    const { featureName } = await givenFlag(server());
    const reply = await features(server().anonymous, { query: { environment: 'production' } });
    expect(names(reply)).toContain(featureName);
    expect(reply.json.query.environment).toBe('development');
    expect((await features(server().client('*:development.wrong'))).status).toBe(401);
  });
});
