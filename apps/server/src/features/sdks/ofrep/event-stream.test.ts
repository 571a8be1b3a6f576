import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { ClientProviderEvents, OpenFeature, type Provider } from '@openfeature/web-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '#testing/client.ts';
import { givenEnabled, givenFlagIn, switchFlag } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

const bulk = 'POST /ofrep/v1/evaluate/flags';

/** A minimal EventSource, which browsers have and Node does not. */
class FakeEventSource {
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
    FakeEventSource.open.push(stream);
    this.readyState = 1;
    for (let message = await stream.next(); message !== undefined; message = await stream.next()) {
      this.#listeners.get(message.event)?.({ data: JSON.stringify(message.data) });
    }
  }
}

describe('the event stream of a bulk evaluation', () => {
  const server = useServer();
  const open: TestStream[] = [];
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  async function streamPathFor(sdk: ApiClient): Promise<string> {
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

  it('sends a message after a relevant change, and after a reconnect for missed changes', async () => {
    const params = await givenFlagIn(server());
    const sdk = await givenSdk(server(), { type: 'frontend' });
    const path = await streamPathFor(sdk);
    const stream = await follow(path);
    expect(stream.headers.get('access-control-allow-origin')).toBe('*');
    await switchFlag(server(), { ...(await givenFlagIn(server(), 'production')), environment: 'production' }, 'on');
    await switchFlag(server(), params, 'on');
    // The first message is for the new flag, which changes all environments.
    const messages = [await stream.next()];
    const { json } = await (await givenSdk(server())).call('GET /api/client/features');
    while (messages.at(-1)?.id.split(':')[0] !== String(json.meta.revisionId)) messages.push(await stream.next());
    expect(messages.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+:[0-9a-f]+$/),
      event: 'message',
      data: { type: 'refetchEvaluation', etag: `"${messages.at(-1)?.id}"` },
    });
    stream.close();
    await switchFlag(server(), params, 'off');
    const again = await follow(path, { 'last-event-id': messages.at(-1)?.id ?? '' });
    expect((await again.next())?.data.type).toBe('refetchEvaluation');
  });

  it('has the same URL for a period, so that the ETag stays the same, and then a new one', async () => {
    const sdk = await givenSdk(server());
    const etag = (await sdk.call(bulk, { body: {} })).headers.get('etag') ?? '';
    const ask = () => sdk.call(bulk, { body: {}, headers: { 'if-none-match': etag } });
    expect((await ask()).status).toBe(304);
    const before = await streamPathFor(sdk);
    server().clock.advance(30 * 60_000);
    expect((await ask()).status).toBe(200);
    expect(await streamPathFor(sdk)).not.toBe(before);
  });

  it('answers 401 to a stream token that expired, was modified, or whose API token was deleted', async () => {
    const { secret, id } = await givenToken(server());
    const path = await streamPathFor(server().client(secret));
    const [, token = ''] = path.split('token=');
    const statusOf = async (sent: string) => (await follow(`/ofrep/v1/event-stream?token=${sent}`)).status;
    expect(await statusOf(token)).toBe(200);
    const [claimed, expires, signed] = token.split('.');
    for (const wrong of [`${claimed}.${Number(expires) + 1}.${signed}`, `1.${expires}.${signed}`, 'x', '']) {
      expect(await statusOf(wrong)).toBe(401);
    }
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: id } });
    expect(await statusOf(token)).toBe(401);
    const other = await streamPathFor(await givenSdk(server()));
    server().clock.advance(60 * 60_000);
    expect((await follow(other)).status).toBe(401);
  });

  it('has a token that is valid for no other route', async () => {
    const [, token = ''] = (await streamPathFor(await givenSdk(server()))).split('token=');
    expect((await server().client(token).call('GET /api/client/features')).status).toBe(401);
    expect((await server().anonymous.request('GET', `/api/client/streaming?token=${token}`)).status).toBe(401);
  });

  it('catches up with a revision announced by another process', async () => {
    const sdk = await givenSdk(server());
    const reply = await sdk.call(bulk, {
      body: {},
      query: { flagConfigEtag: '"999999"', flagConfigLastModified: '1' },
    });
    expect(reply.status).toBe(200);
  });
});

describe('the official OpenFeature provider for browsers with an event stream', () => {
  const server = useServer();
  const browser = globalThis as { EventSource?: unknown };
  beforeAll(() => {
    browser.EventSource = FakeEventSource;
  });
  afterAll(async () => {
    await OpenFeature.close();
    delete browser.EventSource;
    for (const stream of FakeEventSource.open) stream.close();
  });

  it('receives a switched flag without polling', async () => {
    const params = await givenEnabled(server());
    const { secret } = await givenToken(server(), { type: 'frontend' });
    const provider = new OFREPWebProvider({
      baseUrl: server().url,
      headers: [['authorization', secret]],
      pollInterval: 0,
    });
    // The cast is needed because the types of the provider do not support exactOptionalPropertyTypes.
    await OpenFeature.setProviderAndWait(provider as unknown as Provider);
    const client = OpenFeature.getClient();
    expect(client.getBooleanValue(params.featureName, false)).toBe(true);
    await expect.poll(() => FakeEventSource.open.length).toBe(1);
    const changed = new Promise((resolve) => client.addHandler(ClientProviderEvents.ConfigurationChanged, resolve));
    await switchFlag(server(), params, 'off');
    await changed;
    expect(client.getBooleanValue(params.featureName, true)).toBe(false);
  });
});
