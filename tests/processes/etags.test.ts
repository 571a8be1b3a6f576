import { describe, expect, it } from 'vitest';
import { ApiClient, type Reply } from '../../apps/server/testing/client.ts';
import { engine } from '../../apps/server/testing/server.ts';
import { TestStream } from '../../apps/server/testing/test-stream.ts';
import { usePair } from './pair.ts';

const flags = '/api/admin/projects/:projectId/features' as const;
const soon = { timeout: 3000, interval: 5 };

/** The requests that SDKs poll with. `tag` is the ETag of the SDK's copy. */
const questions: Readonly<Record<string, (sdks: Sdks, tag?: string) => Promise<Reply>>> = {
  'GET /api/client/features': ({ backend }, tag) =>
    backend.call('GET /api/client/features', { headers: having(tag, { 'unleash-client-spec': '5.2.0' }) }),
  'GET /api/client/delta': ({ backend }, tag) => backend.call('GET /api/client/delta', { headers: having(tag) }),
  'GET /api/frontend': ({ frontend }, tag) =>
    frontend.call('GET /api/frontend', { query: { userId: 'ann', sessionId: '1' }, headers: having(tag) }),
  'POST /api/frontend': ({ frontend }, tag) =>
    frontend.call('POST /api/frontend', {
      body: { context: { userId: 'ann', sessionId: '1' } },
      headers: having(tag),
    }),
  'POST /ofrep/v1/evaluate/flags': ({ frontend }, tag) =>
    frontend.call('POST /ofrep/v1/evaluate/flags', {
      body: { context: { targetingKey: 'ann' } },
      headers: having(tag),
    }),
};

const having = (tag: string | undefined, more: Readonly<Record<string, string>> = {}) =>
  tag === undefined ? more : { ...more, 'if-none-match': tag };
const tagOf = (reply: Reply) => reply.headers.get('etag') ?? '';

interface Sdks {
  readonly backend: ApiClient;
  readonly frontend: ApiClient;
}

describe.runIf(engine === 'postgres')('SDKs that poll two processes in turn', () => {
  const pair = usePair();

  /** Creates SDKs at both processes and at the `more` origins, and an administrator at the first. */
  async function begin(...more: string[]) {
    const { a, b, adminToken } = pair();
    const admin = new ApiClient(a.origin, adminToken);
    const secretOf = async (type: string): Promise<string> => {
      const body = { tokenName: type, type, environment: 'development' };
      return (await admin.call('POST /api/admin/api-tokens', { body })).json.secret;
    };
    const [backend, frontend] = [await secretOf('backend'), await secretOf('frontend')];
    const sdksOf = (origin: string): Sdks => ({
      backend: new ApiClient(origin, backend),
      frontend: new ApiClient(origin, frontend),
    });
    return { admin, here: sdksOf(a.origin), there: sdksOf(b.origin), others: more.map(sdksOf), sdksOf };
  }

  const paramsOf = (featureName: string) => ({ projectId: 'default', featureName, environment: 'development' });

  async function givenFlag(admin: ApiClient, name: string): Promise<void> {
    const reply = await admin.call(`POST ${flags}`, { params: { projectId: 'default' }, body: { name } });
    expect(reply.status).toBe(201);
  }

  async function switchFlag(admin: ApiClient, name: string, state: 'on' | 'off'): Promise<void> {
    const route = `POST ${flags}/:featureName/environments/:environment/${state}` as const;
    expect((await admin.call(route, { params: paramsOf(name) })).status).toBe(200);
  }

  it.each(Object.entries(questions))('get 304 for what the other answered: %s', async (route, ask) => {
    const { admin, here, there } = await begin();
    const name = `asked-${route.replace(/\W+/g, '-')}`;
    await givenFlag(admin, name);
    await switchFlag(admin, name, 'on');
    const answered = await ask(here);
    expect(answered.status).toBe(200);
    await expect.poll(async () => tagOf(await ask(there)), soon).toBe(tagOf(answered));
    expect((await ask(there)).text).toBe(answered.text);
    expect((await ask(there, tagOf(answered))).status).toBe(304);

    await switchFlag(admin, name, 'off');
    await expect.poll(async () => (await ask(there, tagOf(answered))).status, soon).toBe(200);
    const changed = await ask(here, tagOf(answered));
    expect(changed.status).toBe(200);
    await expect.poll(async () => (await ask(there, tagOf(changed))).status, soon).toBe(304);
  });

  it('get 304 from a process that started later, whatever the history of the flags', async () => {
    const { startAnother } = pair();
    const { admin, here, sdksOf } = await begin();
    for (const name of ['z-first', 'a-second', 'M-third', 'gone']) await givenFlag(admin, name);
    for (const name of ['M-third', 'z-first', 'gone', 'a-second']) await switchFlag(admin, name, 'on');
    await admin.call(`DELETE ${flags}/:featureName`, { params: paramsOf('gone') });
    const revived = { params: paramsOf('z-first') };
    await admin.call(`DELETE ${flags}/:featureName`, revived);
    await admin.call('POST /api/admin/archive/revive/:featureName', revived);
    await switchFlag(admin, 'z-first', 'on');
    const later = sdksOf(await startAnother());
    for (const [route, ask] of Object.entries(questions)) {
      const answered = await ask(here);
      expect((await ask(later, tagOf(answered))).status, route).toBe(304);
    }
  });

  it('get nothing older than a stream of the other process has sent', async () => {
    const { admin, here, there } = await begin();
    const bulk = questions['POST /ofrep/v1/evaluate/flags'] as (sdks: Sdks) => Promise<Reply>;
    const name = 'told-by-a-stream';
    await givenFlag(admin, name);
    const { json } = await bulk(here);
    const stream = await TestStream.open(here.frontend.url + json.eventStreams[0].endpoint.requestUri);
    const seen = [];
    for (let n = 0; n < 20; n++) {
      await switchFlag(admin, name, n % 2 === 0 ? 'on' : 'off');
      const message = await stream.next();
      const reply = await there.frontend.call('POST /ofrep/v1/evaluate/flags', {
        body: {},
        query: { flagConfigEtag: message?.data.etag },
      });
      seen.push(reply.json.flags.find(({ key }: { key: string }) => key === name)?.value);
    }
    stream.close();
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n % 2 === 0));
  });
});
