import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { ClientProviderEvents, OpenFeature, type Provider } from '@openfeature/web-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../testing/client.ts';
import { type FlagEnvironmentParams, givenEnabled, givenFlagIn } from '../../../testing/flags.ts';
import { type TestServer, useServer } from '../../../testing/server.ts';
import { TestStream } from '../../../testing/test-stream.ts';
import { givenSdk, givenToken } from '../../../testing/tokens.ts';

const bulk = 'POST /ofrep/v1/evaluate/flags';

async function switchFlag(server: TestServer, params: FlagEnvironmentParams, state: 'on' | 'off'): Promise<void> {
  const route = `POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/${state}` as const;
  expect((await server.admin.call(route, { params })).status).toBe(200);
}

/** What browsers have and Node has not: as much of it as the provider needs. */
class StreamOfBrowsers {
  static readonly open: TestStream[] = [];
  readyState = 0;
  #listeners = new Map<string, (event: { data: string }) => void>();

  constructor(url: string) {
    void this.#read(url);
  }

  addEventListener(type: string, listener: (event: { data: string }) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.readyState = 2;
  }

  async #read(url: string): Promise<void> {
    const stream = await TestStream.open(url);
    StreamOfBrowsers.open.push(stream);
    this.readyState = 1;
    for (let told = await stream.next(); told !== undefined; told = await stream.next()) {
      this.#listeners.get(told.event)?.({ data: JSON.stringify(told.data) });
    }
  }
}

describe('the stream that an evaluation of all flags names', () => {
  const server = useServer();
  const open: TestStream[] = [];
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  async function placeFor(sdk: ApiClient): Promise<string> {
    const { json } = await sdk.call(bulk, { body: {} });
    expect(json.eventStreams).toEqual([
      { type: 'sse', endpoint: { requestUri: expect.stringMatching(/^\/ofrep\/v1\/event-stream\?token=/) } },
    ]);
    return json.eventStreams[0].endpoint.requestUri;
  }

  async function follow(path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestStream> {
    const stream = await TestStream.open(server().url + path, headers);
    open.push(stream);
    return stream;
  }

  it('tells of changes, of no others, and after an interruption of what was missed', async () => {
    const params = await givenFlagIn(server());
    const sdk = await givenSdk(server(), { type: 'frontend' });
    const path = await placeFor(sdk);
    const stream = await follow(path);
    expect(stream.headers.get('access-control-allow-origin')).toBe('*');
    await switchFlag(server(), { ...(await givenFlagIn(server(), 'production')), environment: 'production' }, 'on');
    await switchFlag(server(), params, 'on');
    // The first is of the flag that came everywhere.
    const told = [await stream.next()];
    const { json } = await (await givenSdk(server())).call('GET /api/client/features');
    while (told.at(-1)?.id !== String(json.meta.revisionId)) told.push(await stream.next());
    expect(told.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      event: 'message',
      data: { type: 'refetchEvaluation', etag: `"${told.at(-1)?.id}"` },
    });
    stream.close();
    await switchFlag(server(), params, 'off');
    const again = await follow(path, { 'last-event-id': told.at(-1)?.id ?? '' });
    expect((await again.next())?.data.type).toBe('refetchEvaluation');
  });

  it('is named alike for a while, so that answers stay the same, and then anew', async () => {
    const sdk = await givenSdk(server());
    const etag = (await sdk.call(bulk, { body: {} })).headers.get('etag') ?? '';
    const ask = () => sdk.call(bulk, { body: {}, headers: { 'if-none-match': etag } });
    expect((await ask()).status).toBe(304);
    const before = await placeFor(sdk);
    server().clock.advance(30 * 60_000);
    expect((await ask()).status).toBe(200);
    expect(await placeFor(sdk)).not.toBe(before);
  });

  it('is not opened by a token whose time is over, that was changed, or whose API token is gone', async () => {
    const { secret, id } = await givenToken(server());
    const path = await placeFor(server().client(secret));
    const [, token = ''] = path.split('token=');
    const statusOf = async (sent: string) => (await follow(`/ofrep/v1/event-stream?token=${sent}`)).status;
    expect(await statusOf(token)).toBe(200);
    const [claimed, expires, signed] = token.split('.');
    for (const wrong of [`${claimed}.${Number(expires) + 1}.${signed}`, `1.${expires}.${signed}`, 'x', '']) {
      expect(await statusOf(wrong)).toBe(401);
    }
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: id } });
    expect(await statusOf(token)).toBe(401);
    const other = await placeFor(await givenSdk(server()));
    server().clock.advance(60 * 60_000);
    expect((await follow(other)).status).toBe(401);
  });

  it('opens nothing else', async () => {
    const [, token = ''] = (await placeFor(await givenSdk(server()))).split('token=');
    expect((await server().client(token).call('GET /api/client/features')).status).toBe(401);
    expect((await server().nobody.request('GET', `/api/client/streaming?token=${token}`)).status).toBe(401);
  });

  it('is not behind what another process told of', async () => {
    const sdk = await givenSdk(server());
    const reply = await sdk.call(bulk, {
      body: {},
      query: { flagConfigEtag: '"999999"', flagConfigLastModified: '1' },
    });
    expect(reply.status).toBe(200);
  });
});

describe('the official OpenFeature provider for browsers, being told of changes', () => {
  const server = useServer();
  const browser = globalThis as { EventSource?: unknown };
  beforeAll(() => {
    browser.EventSource = StreamOfBrowsers;
  });
  afterAll(async () => {
    await OpenFeature.close();
    delete browser.EventSource;
    for (const stream of StreamOfBrowsers.open) stream.close();
  });

  it('sees a flag switched without asking for it', async () => {
    const params = await givenEnabled(server());
    const { secret } = await givenToken(server(), { type: 'frontend' });
    const provider = new OFREPWebProvider({
      baseUrl: server().url,
      headers: [['authorization', secret]],
      pollInterval: 0,
    });
    // Its types are written for compilers that take an undefined member for one that is not there.
    await OpenFeature.setProviderAndWait(provider as unknown as Provider);
    const client = OpenFeature.getClient();
    expect(client.getBooleanValue(params.featureName, false)).toBe(true);
    await expect.poll(() => StreamOfBrowsers.open.length).toBe(1);
    const changed = new Promise((resolve) => client.addHandler(ClientProviderEvents.ConfigurationChanged, resolve));
    await switchFlag(server(), params, 'off');
    await changed;
    expect(client.getBooleanValue(params.featureName, true)).toBe(false);
  });
});
