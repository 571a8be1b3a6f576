import { OFREPApi } from '@openfeature/ofrep-core';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, type Provider } from '@openfeature/web-sdk';
import { bulkEvaluationSchema } from '@yardarm/contract';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addStrategy,
  type FlagEnvironmentParams,
  givenEnabled,
  givenFlag,
  givenFlagIn,
  givenProject,
} from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';
import { ofrepScenarios } from './ofrep.scenarios.ts';

const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const single = 'POST /ofrep/v1/evaluate/flags/:key';
const bulk = 'POST /ofrep/v1/evaluate/flags';

type Server = ReturnType<ReturnType<typeof useServer>>;

async function switchFlag(server: Server, params: FlagEnvironmentParams, state: 'on' | 'off'): Promise<void> {
  expect((await server.admin.call(`POST ${environment}/${state}`, { params })).status).toBe(200);
}

/** Creates a flag with a variant for the user `ann` only, with the given payload. */
async function givenVariant(server: Server, payload?: { type: string; value: string }): Promise<FlagEnvironmentParams> {
  const params = await givenFlagIn(server);
  await addStrategy(server, params, {
    name: 'userWithId',
    parameters: { userIds: 'ann' },
    variants: [
      { name: 'one', weight: 1000, weightType: 'variable', stickiness: 'default', ...(payload && { payload }) },
    ],
  });
  await switchFlag(server, params, 'on');
  return params;
}

describe('the OFREP routes', () => {
  const server = useServer();

  testScenarios(server, ofrepScenarios);

  it.each([
    ['text', { type: 'string', value: '42' }, '42'],
    ['a number', { type: 'number', value: '4.2' }, 4.2],
    ['JSON', { type: 'json', value: '{"a":[1,null]}' }, { a: [1, null] }],
    ['CSV, as text', { type: 'csv', value: 'a,b' }, 'a,b'],
    ['a boolean when there is no payload', undefined, true],
  ])('returns the payload of a variant in its type: %s', async (_, payload, value) => {
    const { featureName: key } = await givenVariant(server(), payload);
    const sdk = await givenSdk(server());
    const { json } = await sdk.call(single, { params: { key }, body: { context: { targetingKey: 'ann' } } });
    expect(json).toEqual({
      key,
      reason: 'SPLIT',
      variant: 'one',
      value,
      metadata: { enabled: true, impressionData: false },
    });
  });

  it.each([
    ['a number', { type: 'number', value: '9007199254740993' }, '9007199254740993'],
    ['JSON', { type: 'json', value: '{"id": -9007199254740993}' }, '{"id":-9007199254740993}'],
  ])('answers all digits of an integer that a double rounds: %s', async (_, payload, digits) => {
    const { featureName: key } = await givenVariant(server(), payload);
    const sdk = await givenSdk(server());
    const body = { context: { targetingKey: 'ann' } };
    const [one, all] = [await sdk.call(single, { params: { key }, body }), await sdk.call(bulk, { body })];
    expect([one.text.includes(`"value":${digits}`), all.text.includes(`"value":${digits}`)]).toEqual([true, true]);
  });

  it('leaves out the value when no variant applies but variants of the flag have payloads', async () => {
    const params = await givenVariant(server(), { type: 'number', value: '1' });
    const sdk = await givenSdk(server());
    const ask = async () =>
      (await sdk.call(single, { params: { key: params.featureName }, body: { context: { targetingKey: 'bob' } } }))
        .json;
    const metadata = { enabled: false, impressionData: false };
    const variant = 'disabled';
    expect(await ask()).toEqual({ key: params.featureName, reason: 'TARGETING_MATCH', variant, metadata });
    await switchFlag(server(), params, 'off');
    expect(await ask()).toEqual({ key: params.featureName, reason: 'DISABLED', variant, metadata });
  });

  it('answers 304 while the evaluated flags are the same', async () => {
    const projectId = await givenProject(server());
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'development' };
    const sdk = await givenSdk(server(), { projects: [projectId] });
    const ask = (etag: string) => sdk.call(bulk, { body: {}, headers: { 'if-none-match': etag } });
    const first = await ask('""');
    expect(bulkEvaluationSchema.safeParse(first.json).error).toBeUndefined();
    const etag = first.headers.get('etag') ?? '';
    expect([(await ask(etag)).status, (await ask(etag)).text]).toEqual([304, '']);
    await switchFlag(server(), params, 'on');
    expect((await ask(etag)).json.flags).toMatchObject([{ key: params.featureName, value: true }]);
  });

  it('counts single evaluations and not bulk evaluations', async () => {
    const { featureName: key } = await givenVariant(server(), { type: 'string', value: 'x' });
    const sdk = await givenSdk(server());
    await sdk.call(bulk, { body: { context: { targetingKey: 'ann', appName: 'shop' } } });
    for (const context of [{ targetingKey: 'ann', appName: 'shop' }, { targetingKey: 'bob' }])
      await sdk.call(single, { params: { key }, body: { context } });
    await server().app.service.usage.flush();
    const { json } = await server().admin.call('GET /api/admin/client-metrics/features/:name/raw', {
      params: { name: key },
    });
    const counted = json.data.map(({ appName, yes, no, variants }: Record<string, unknown>) => ({
      appName,
      yes,
      no,
      variants,
    }));
    expect(counted).toHaveLength(2);
    expect(counted).toEqual(
      expect.arrayContaining([
        { appName: 'shop', yes: 1, no: 0, variants: { one: 1 } },
        { appName: 'OpenFeature', yes: 0, no: 1, variants: {} },
      ]),
    );
  });

  it('uses the address of the request as remoteAddress only with a frontend token', async () => {
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, { name: 'remoteAddress', parameters: { IPs: '127.0.0.1' } });
    await switchFlag(server(), params, 'on');
    const ask = async (type: string) =>
      (await (await givenSdk(server(), { type })).call(single, { params: { key: params.featureName }, body: {} })).json;
    expect((await ask('frontend')).value).toBe(true);
    expect((await ask('backend')).value).toBe(false);
  });

  it('work with the official client for servers', async () => {
    const { featureName } = await givenVariant(server(), { type: 'string', value: 'x' });
    const { secret } = await givenToken(server());
    const api = new OFREPApi({ baseUrl: server().url, headers: [['authorization', secret]] });
    const request = { context: { targetingKey: 'ann' } };
    expect(await api.postEvaluateFlag(featureName, request)).toMatchObject({ httpStatus: 200, value: { value: 'x' } });
    expect(await api.postEvaluateFlag('nothing', request)).toMatchObject({
      httpStatus: 404,
      value: { key: 'nothing', errorCode: 'FLAG_NOT_FOUND' },
    });
    expect(await api.postBulkEvaluateFlags({ context: { currentTime: 'noon' } } as never)).toMatchObject({
      httpStatus: 400,
      value: { errorCode: 'INVALID_CONTEXT' },
    });
    const wrong = new OFREPApi({ baseUrl: server().url, headers: [['authorization', `${secret}x`]] });
    await expect(wrong.postEvaluateFlag(featureName, request)).rejects.toThrow(/not authorized|unauthorized/i);
    api.close();
    wrong.close();
  });
});

describe('the official OpenFeature provider for browsers', () => {
  const server = useServer();
  afterAll(() => OpenFeature.close());

  it('reads flags in their types, and re-evaluates when the context changes', async () => {
    const { featureName: onOff } = await givenEnabled(server());
    const text = await givenVariant(server(), { type: 'string', value: 'hello' });
    const { featureName: object } = await givenVariant(server(), { type: 'json', value: '{"a":1}' });
    const { secret } = await givenToken(server(), { type: 'frontend' });
    const provider = new OFREPWebProvider({
      baseUrl: server().url,
      headers: [['authorization', secret]],
      pollInterval: 0,
    });
    await OpenFeature.setContext({ targetingKey: 'ann' });
    // The cast is needed because the types of the provider do not support exactOptionalPropertyTypes.
    await OpenFeature.setProviderAndWait(provider as unknown as Provider);
    const client = OpenFeature.getClient();
    expect(client.getBooleanValue(onOff, false)).toBe(true);
    expect(client.getStringDetails(text.featureName, 'mine')).toMatchObject({
      value: 'hello',
      variant: 'one',
      reason: 'SPLIT',
    });
    expect(client.getObjectValue(object, {})).toEqual({ a: 1 });
    expect(client.getBooleanDetails('nothing', true)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' });

    await OpenFeature.setContext({ targetingKey: 'bob' });
    expect(client.getStringDetails(text.featureName, 'mine')).toMatchObject({
      value: 'mine',
      variant: 'disabled',
    });
  });
});

describe('evaluations over the rate limit', () => {
  const server = useServer({ ofrepRatePerMinute: 3 });

  it('are answered 429 with Retry-After', async () => {
    const sdk = await givenSdk(server());
    const replies = [];
    for (let n = 0; n < 4; n++) replies.push(await sdk.call(bulk, { body: {} }));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(replies[3]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(replies[3]?.json).toMatchObject({ name: 'RateLimitError', errorCode: 'GENERAL' });
  });
});
