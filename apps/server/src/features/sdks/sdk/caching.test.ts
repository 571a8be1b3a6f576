import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '#testing/client.ts';
import { givenFlag, givenFlagIn } from '#testing/flags.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

const features = (sdk: ApiClient, call: Parameters<ApiClient['call']>[1] = {}) =>
  sdk.call('GET /api/client/features', call);
const etagOf = ({ headers }: Reply): string => headers.get('etag') ?? 'none';

describe('GET /api/client/features with If-None-Match', () => {
  const server = useServer();

  it.each([
    ['a single ETag', (etag: string) => etag],
    ['a weak ETag', (etag: string) => `W/${etag}`],
    ['a list of ETags', (etag: string) => `"other", W/${etag} , "more"`],
    ['a star', () => '*'],
  ])('answers 304 without a body for %s', async (_form, header) => {
    const sdk = await givenSdk(server());
    const etag = etagOf(await features(sdk));
    const again = await features(sdk, { headers: { 'if-none-match': header(etag) } });
    expect([again.status, again.text, etagOf(again)]).toEqual([304, '', etag]);
    expect(again.headers.get('content-type')).toBeNull();
  });

  it.each([['"other"'], ['other'], ['']])('answers 200 for the ETag %j', async (header) => {
    const sdk = await givenSdk(server());
    expect((await features(sdk, { headers: { 'if-none-match': header } })).status).toBe(200);
  });

  it('has a different ETag for each filter, token scope and client specification', async () => {
    const sdk = await givenSdk(server());
    const narrow = await givenSdk(server(), { projects: ['default'] });
    const tags = [
      await features(sdk),
      await features(narrow),
      await features(sdk, { query: { namePrefix: 'a' } }),
      await features(sdk, { headers: { 'unleash-client-spec': '5.2.0' } }),
    ].map(etagOf);
    expect(new Set(tags).size).toBe(4);
  });

  it('answers the same 304, and counts it, with and without calling the route', async () => {
    const { secret } = await givenToken(server());
    const sdk = server().client(secret);
    const etag = etagOf(await features(sdk));
    const counted = async () => {
      const { text } = await server().admin.request('GET', '/metrics');
      const line = /_count\{method="GET",route="\/api\/client\/features",status="304"\} (\d+)/.exec(text);
      return Number(line?.[1] ?? 0);
    };
    const before = await counted();
    const known = { headers: { 'if-none-match': etag } };
    const early = await sdk.request('GET', '/api/client/features', known);
    // A query string makes the request skip the check before the route.
    const byRoute = await sdk.request('GET', '/api/client/features?', known);
    expect([early.status, byRoute.status]).toEqual([304, 304]);
    const stableHeaders = ({ headers }: Reply) => {
      const { 'x-request-id': requestId, date, ...rest } = Object.fromEntries(headers);
      expect([requestId, date]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.any(String)]);
      return rest;
    };
    expect(stableHeaders(early)).toEqual(stableHeaders(byRoute));
    expect(await counted()).toBe(before + 2);
  });

  it('answers 304 only to valid backend tokens', async () => {
    const known = { headers: { 'if-none-match': '*' } };
    const token = await givenToken(server());
    const sdk = server().client(token.secret);
    expect((await features(sdk, known)).status).toBe(304);
    const malformedSpec = { headers: { ...known.headers, 'unleash-client-spec': 'newest' } };
    expect((await features(sdk, malformedSpec)).status).toBe(304);
    const frontend = await givenSdk(server(), { type: 'frontend' });
    expect((await features(frontend, known)).status).toBe(403);
    expect((await features(server().admin, known)).status).toBe(403);
    expect((await features(server().anonymous, known)).status).toBe(401);
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: token.id } });
    expect((await features(sdk, known)).status).toBe(401);
  });

  it('answers 304 after a restart', async () => {
    const storage = await createStorage();
    const first = await startServer(storage);
    const { secret } = await givenToken(first);
    const params = await givenFlagIn(first, 'production');
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await first.admin.call(route, { params });
    await givenToken(first);
    const before = await features(first.client(secret));
    await first.stop();

    const second = await startServer(storage);
    const after = await features(second.client(secret), { headers: { 'if-none-match': etagOf(before) } });
    const full = await features(second.client(secret));
    await second.stop();
    await storage.remove();
    expect(after.status).toBe(304);
    expect(full.text).toBe(before.text);
  });
});

describe('an answer with many flags', () => {
  const server = useServer();

  it('is built once for concurrent requests, and includes changes made meanwhile', async () => {
    const body = { description: 'd'.repeat(500) };
    const flags = await Promise.all(Array.from({ length: 250 }, () => givenFlag(server(), body)));
    const sdk = await givenSdk(server());
    const params = { ...flags[7], environment: 'development' };
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    const [toggled, ...during] = await Promise.all([
      server().admin.call(route, { params }),
      ...Array.from({ length: 8 }, () => features(sdk)),
    ]);
    expect(toggled?.status).toBe(200);
    for (const reply of during) expect(reply.json.features).toHaveLength(250);
    const after = await features(sdk);
    const enabled = after.json.features.filter((flag: { enabled: boolean }) => flag.enabled);
    expect(enabled).toMatchObject([{ name: flags[7]?.featureName }]);
    const sameEtag = during.filter((reply) => etagOf(reply) === etagOf(after));
    for (const reply of sameEtag) expect(reply.text).toBe(after.text);
  });
});

describe('a compressed answer', () => {
  const server = useServer();

  /** Returns the bytes without decompressing them. */
  async function raw(sdk: { url: string }, token: string, acceptEncoding: string) {
    return new Promise<{ encoding: string | undefined; etag: string | undefined; bytes: Buffer }>((resolve, reject) => {
      const headers = { authorization: token, 'accept-encoding': acceptEncoding };
      const call = request(`${sdk.url}/api/client/features`, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { 'content-encoding': encoding, etag } = response.headers;
          resolve({ encoding, etag, bytes: Buffer.concat(chunks) });
        });
      });
      call.on('error', reject).end();
    });
  }

  it('has the same content and ETag in every encoding, also for concurrent requests', async () => {
    for (let i = 0; i < 10; i++) await givenFlag(server(), { description: 'x'.repeat(100) });
    const { secret } = await givenToken(server());
    const encodings = ['identity', 'gzip', 'br', 'gzip, deflate', 'gzip;q=0.5, br;q=0.9', 'gzip', 'br', 'deflate', '*'];
    const answers = await Promise.all(encodings.map((header) => raw(server(), secret, header)));
    expect(answers.map(({ encoding }) => encoding)).toEqual([
      undefined,
      'gzip',
      'br',
      'gzip',
      'br',
      'gzip',
      'br',
      undefined,
      undefined,
    ]);
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
    const open = { gzip: gunzipSync, br: brotliDecompressSync } as const;
    const texts = answers.map(({ encoding, bytes }) =>
      (encoding === undefined ? bytes : open[encoding as keyof typeof open](bytes)).toString(),
    );
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? '').features).toHaveLength(10);
  });
});
