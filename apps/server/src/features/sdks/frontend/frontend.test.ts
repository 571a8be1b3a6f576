import { frontendFeaturesSchema } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#testing/client.ts';
import {
  addStrategy,
  type FlagEnvironmentParams,
  givenEnabled,
  givenFlag,
  givenFlagIn,
  givenProject,
} from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';
import { frontendScenarios } from './frontend.scenarios.ts';

const server = useServer({ frontendMetricsRatePerMinute: 50, frontendRegisterRatePerMinute: 50 });
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

async function switchFlag(params: FlagEnvironmentParams, state: 'on' | 'off'): Promise<void> {
  expect((await server().admin.call(`POST ${environment}/${state}`, { params })).status).toBe(200);
}

const frontend = (more: object = {}) => givenSdk(server(), { type: 'frontend', ...more });
const namesIn = (json: { toggles: { name: string }[] }) => json.toggles.map(({ name }) => name);

describe('the frontend API', () => {
  testScenarios(server, frontendScenarios);

  it('reads the digits of a number that a double does not hold, as OFREP and the playground do', async () => {
    const params = await givenFlagIn(server());
    const id = '7421932185906577001';
    const constraints = [{ contextName: 'userId', operator: 'IN', values: [id] }];
    await addStrategy(server(), params, { name: 'default', constraints });
    await switchFlag(params, 'on');
    const sdk = await frontend();
    const post = (client: ApiClient, path: string, body: string) =>
      client.request('POST', path, { raw: body, headers: { 'content-type': 'application/json' } });
    const states = async (sent: string) => {
      const { json: listed } = await post(sdk, '/api/frontend', `{"context":{"userId":${sent}}}`);
      const context = `{"context":{"targetingKey":${sent}}}`;
      const single = await post(sdk, `/ofrep/v1/evaluate/flags/${params.featureName}`, context);
      const bulk = await post(sdk, '/ofrep/v1/evaluate/flags', context);
      const tried = `{"environment":"${params.environment}","projects":["${params.projectId}"],"context":{"appName":"a","userId":${sent}}}`;
      const { json: played } = await post(server().admin, '/api/admin/playground', tried);
      return {
        frontend: namesIn(listed).includes(params.featureName),
        single: single.json.value,
        bulk: bulk.json.flags.find(({ key }: { key: string }) => key === params.featureName).value,
        playground: played.features.find(({ name }: { name: string }) => name === params.featureName).isEnabled,
      };
    };
    expect(await states(id)).toEqual({ frontend: true, single: true, bulk: true, playground: true });
    const off = { frontend: false, single: false, bulk: false, playground: false };
    expect(await states('7421932185906577002')).toEqual(off);
  });

  it('evaluates the same for a context in the query and in the body', async () => {
    const params = await givenFlagIn(server());
    const segment = await givenSegment(server());
    await addStrategy(server(), params, {
      name: 'default',
      segments: [segment.id],
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }],
      variants: [
        {
          name: 'blue',
          weight: 1000,
          weightType: 'variable',
          stickiness: 'default',
          payload: { type: 'string', value: '#00f' },
        },
      ],
    });
    await switchFlag(params, 'on');
    const sdk = await frontend();
    const context = { userId: 'ann', properties: { country: 'NO' } };
    const found = [
      await sdk.call('GET /api/frontend', { query: { userId: 'ann', 'properties[country]': 'NO' } }),
      await sdk.call('GET /api/frontend', { query: { userId: 'ann', country: 'NO' } }),
      await sdk.call('POST /api/frontend', { body: { context } }),
      await sdk.call('POST /api/frontend', { body: { context: { userId: 'ann', country: 'NO' } } }),
    ];
    for (const { json } of found) {
      expect(frontendFeaturesSchema.safeParse(json).error).toBeUndefined();
      expect(json.toggles.find(({ name }: { name: string }) => name === params.featureName)).toEqual({
        name: params.featureName,
        enabled: true,
        variant: {
          name: 'blue',
          enabled: true,
          payload: { type: 'string', value: '#00f' },
          feature_enabled: true,
          featureEnabled: true,
        },
        impressionData: false,
      });
    }
    const other = await sdk.call('POST /api/frontend', { body: { context: { ...context, userId: 'bob' } } });
    expect(namesIn(other.json)).not.toContain(params.featureName);
  });

  it('returns the flags of the token’s projects and environment', async () => {
    const projectId = await givenProject(server());
    const params = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    await switchFlag(params, 'on');
    const of = async (more: object) => namesIn((await (await frontend(more)).call('GET /api/frontend')).json);
    expect(await of({ projects: [projectId], environment: 'production' })).toEqual([params.featureName]);
    expect(await of({ projects: [projectId], environment: 'development' })).toEqual([]);
    expect(await of({ projects: ['default'], environment: 'production' })).not.toContain(params.featureName);
  });

  it('sets remoteAddress and environment where the context does not have them', async () => {
    const [byAddress, inside] = [await givenFlagIn(server()), await givenFlagIn(server())];
    await addStrategy(server(), byAddress, { name: 'remoteAddress', parameters: { IPs: '127.0.0.0/8' } });
    await addStrategy(server(), inside, {
      name: 'default',
      constraints: [{ contextName: 'environment', operator: 'IN', values: ['development'] }],
    });
    for (const params of [byAddress, inside]) await switchFlag(params, 'on');
    const sdk = await frontend();
    expect(namesIn((await sdk.call('GET /api/frontend')).json)).toEqual(
      expect.arrayContaining([byAddress.featureName, inside.featureName]),
    );
    const query = { remoteAddress: '10.0.0.1', environment: 'mine' };
    const names = namesIn((await sdk.call('GET /api/frontend', { query })).json);
    expect(names).not.toContain(byAddress.featureName);
    expect(names).not.toContain(inside.featureName);
  });

  it('generates a random session id where the context has none', async () => {
    const params = await givenFlagIn(server());
    await addStrategy(server(), params, {
      name: 'flexibleRollout',
      parameters: { rollout: '50', stickiness: 'sessionId', groupId: 'g' },
    });
    await switchFlag(params, 'on');
    const sdk = await frontend();
    const seen = new Set<boolean>();
    // Sixty equal results in a row have a probability of 2^-59.
    for (let n = 0; n < 60 && seen.size < 2; n++) {
      seen.add(namesIn((await sdk.call('GET /api/frontend')).json).includes(params.featureName));
    }
    expect(seen.size).toBe(2);
  });

  it('answers 304 while the evaluated flags are the same, for any context', async () => {
    const projectId = await givenProject(server());
    const [first, second] = [await givenFlag(server(), {}, projectId), await givenFlag(server(), {}, projectId)];
    const here = { environment: 'development' };
    await switchFlag({ ...first, ...here }, 'on');
    const sdk = await frontend({ projects: [projectId] });
    const ask = (etag: string, userId = 'ann') =>
      sdk.call('GET /api/frontend', { query: { userId }, headers: { 'if-none-match': etag } });
    const etag = (await ask('""')).headers.get('etag') ?? '';
    const unchanged = await ask(etag);
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await ask(etag, 'bob')).status).toBe(304);

    // These changes do not affect which flags are on.
    await switchFlag({ ...second, environment: 'production' }, 'on');
    await server().admin.call(`POST ${environment}/strategies`, {
      params: { ...second, ...here },
      body: { name: 'userWithId', parameters: { userIds: 'ann' } },
    });
    expect((await ask(etag)).status).toBe(304);

    await switchFlag({ ...second, ...here }, 'on');
    const changed = await ask(etag);
    expect(changed.status).toBe(200);
    expect(namesIn(changed.json)).toEqual([first.featureName, second.featureName].toSorted());
    expect((await ask(etag, 'bob')).status).toBe(304);
  });

  it('has a different ETag for another variant and for impression data', async () => {
    const params = await givenFlagIn(server());
    for (const [userIds, name] of [
      ['ann', 'blue'],
      ['bob', 'green'],
    ]) {
      const variants = [{ name, weight: 1000, weightType: 'variable', stickiness: 'default' }];
      await addStrategy(server(), params, { name: 'userWithId', parameters: { userIds }, variants });
    }
    await switchFlag(params, 'on');
    const sdk = await frontend();
    const etagFor = async (userId: string) =>
      (await sdk.call('GET /api/frontend', { query: { userId } })).headers.get('etag');
    const etags = [await etagFor('ann'), await etagFor('bob'), await etagFor('cat')];
    await server().admin.call('PATCH /api/admin/projects/:projectId/features/:featureName', {
      params,
      body: [{ op: 'replace', path: '/impressionData', value: true }],
    });
    etags.push(await etagFor('ann'));
    expect(new Set(etags).size).toBe(4);
  });

  it('applies a change of a segment and the archiving of a flag at once', async () => {
    const params = await givenFlagIn(server());
    const segment = await givenSegment(server());
    await addStrategy(server(), params, { name: 'default', segments: [segment.id] });
    await switchFlag(params, 'on');
    const sdk = await frontend();
    const isOn = async (country: string) =>
      namesIn((await sdk.call('GET /api/frontend', { query: { country } })).json).includes(params.featureName);
    expect([await isOn('NO'), await isOn('SE')]).toEqual([true, false]);
    await server().admin.call('PUT /api/admin/segments/:id', {
      params: { id: segment.id },
      body: { name: segment.name, constraints: [{ contextName: 'country', operator: 'IN', values: ['SE'] }] },
    });
    expect([await isOn('NO'), await isOn('SE')]).toEqual([false, true]);
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
    expect(await isOn('SE')).toBe(false);
  });

  it('compresses large answers with the same ETag', async () => {
    const projectId = await givenProject(server());
    for (let n = 0; n < 12; n++)
      await switchFlag({ ...(await givenFlag(server(), {}, projectId)), environment: 'development' }, 'on');
    const sdk = await frontend({ projects: [projectId] });
    const get = (encoding: string) => sdk.call('GET /api/frontend', { headers: { 'accept-encoding': encoding } });
    const [plain, compressed] = [await get('identity'), await get('br')];
    expect([plain.headers.get('content-encoding'), compressed.headers.get('content-encoding')]).toEqual([null, 'br']);
    expect(compressed.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(compressed.text).toBe(plain.text);
  });

  it('answers 429 to an address that reports too often', async () => {
    const sdk = await frontend();
    for (const path of ['metrics', 'register'] as const) {
      const statuses: number[] = [];
      for (let n = 0; n < 55; n++) {
        const reply = await sdk.call(`POST /api/frontend/client/${path}`, { body: { appName: 'busy' } });
        statuses.push(reply.status);
        if (reply.status === 429) expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      }
      expect(statuses[0]).toBe(200);
      expect(statuses.at(-1)).toBe(429);
    }
  });

  it.each(['/api/frontend/client/features', '/api/frontend/health', '/api/frontend/internal-backstage/prometheus'])(
    'answers 405 to %s',
    async (path) => {
      const reply = await (await frontend()).request('GET', path);
      expect(reply.status).toBe(405);
      expect(reply.json).toMatchObject({ name: 'NotImplementedError' });
    },
  );

  it('never logs the token', async () => {
    const { secret } = await givenToken(server(), { type: 'frontend' });
    await server()
      .client(secret)
      .call('GET /api/frontend', { query: { userId: 'ann' } });
    await server()
      .client(secret)
      .call('GET /api/frontend', { query: { currentTime: 'noon' } });
    await server().client(`${secret}x`).call('GET /api/frontend');
    expect(server().logged.join('\n')).not.toContain(secret);
  });
});

describe('the frontend API with authentication off', () => {
  const open = useServer({ authType: 'none' });

  it('returns all flags of development without a token', async () => {
    const { featureName } = await givenEnabled(open());
    const reply = await open().anonymous.call('GET /api/frontend');
    expect(namesIn(reply.json)).toContain(featureName);
  });
});
