import { afterEach, describe, expect, it } from 'vitest';
import { type FlagEnvironmentParams, givenFlag, givenFlagIn, switchFlag } from '#testing/flags.ts';
import { RawConnection } from '#testing/raw-http.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const open: RawConnection[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.end();
});

/** Requests a stream on a new connection. */
async function request(server: TestServer, start: string, headers: readonly string[]): Promise<RawConnection> {
  const connection = await RawConnection.open(server.url);
  open.push(connection);
  connection.write([start, 'Host: localhost', ...headers, '', ''].join('\r\n'));
  return connection;
}

async function requestFlags(server: TestServer, version = '1.1', path = '/api/client/streaming') {
  const { secret } = await givenToken(server);
  return request(server, `GET ${path} HTTP/${version}`, [`Authorization: ${secret}`]);
}

async function requestOfrepStream(server: TestServer, known: string) {
  const { secret } = await givenToken(server, { type: 'frontend' });
  const { json } = await server.client(secret).call('POST /ofrep/v1/evaluate/flags', { body: {} });
  const path = json.eventStreams[0].endpoint.requestUri;
  return request(server, `GET ${path} HTTP/1.1`, [`Last-Event-ID: ${known}`]);
}

async function switchOn(server: TestServer, params: FlagEnvironmentParams): Promise<void> {
  await switchFlag(server, params, 'on');
}

/** Matches one complete message of a stream. */
const message = (event: string) => new RegExp(`^id: \\d+:[0-9a-f]+\\nevent: ${event}\\ndata: [^\\n]+\\n\\n$`);

describe('a stream over HTTP/1.1', () => {
  const server = useServer({ streamHeartbeatSeconds: 1_000_000 });

  it('sends each message as a chunk, and closes the connection at the end', async () => {
    const params = await givenFlagIn(server());
    const connection = await requestFlags(server());
    const { status, headers } = await connection.head();
    expect([status, headers.get('transfer-encoding'), headers.get('connection')]).toEqual([200, 'chunked', 'close']);
    expect(String(await connection.chunk())).toMatch(message('unleash-connected'));
    await switchOn(server(), params);
    expect(String(await connection.chunk())).toMatch(message('unleash-updated'));
  });

  it('sends a message that is too large to be copied as one chunk', async () => {
    for (let n = 0; n < 20; n++) {
      // The character has four bytes in UTF-8 and two UTF-16 code units.
      await givenFlag(server(), { name: `large.${n}`, description: '\u{1f6a2}'.repeat(2000) });
    }
    const connection = await requestFlags(server(), '1.1', '/api/client/streaming?namePrefix=large.');
    await connection.head();
    const first = await connection.chunk();
    expect(first.length).toBeGreaterThan(64 * 1024);
    expect(String(first)).toMatch(message('unleash-connected'));
    const { featureName } = await givenFlag(server(), { name: 'large.last' });
    const next = String(await connection.chunk());
    expect(next).toMatch(message('unleash-updated'));
    expect(next).toContain(featureName);
  });

  it('sends chunks to OpenFeature providers too', async () => {
    await switchOn(server(), await givenFlagIn(server()));
    const connection = await requestOfrepStream(server(), '1');
    expect((await connection.head()).headers.get('transfer-encoding')).toBe('chunked');
    expect(String(await connection.chunk())).toMatch(message('message'));
  });

  it('ends with an empty chunk and the connection when an administrator ends all streams', async () => {
    const connection = await requestFlags(server());
    await connection.head();
    await connection.chunk();
    await server().admin.call('POST /api/admin/streaming/disconnect-all');
    expect(await connection.chunk()).toHaveLength(0);
    await connection.closed();
    expect(connection.rest()).toBe('');
  });

  it('answers HEAD without a body', async () => {
    const { secret } = await givenToken(server());
    const connection = await request(server(), 'HEAD /api/client/streaming HTTP/1.1', [`Authorization: ${secret}`]);
    expect((await connection.head()).status).toBe(200);
    await connection.closed();
    expect(connection.rest()).toBe('');
  });
});

describe('an idle stream', () => {
  const server = useServer({ streamHeartbeatSeconds: 0.02 });

  it('sends each heartbeat as a chunk', async () => {
    const connection = await requestFlags(server());
    await connection.head();
    await connection.chunk();
    expect(String(await connection.chunk())).toBe(':\n\n');
    expect(String(await connection.chunk())).toBe(':\n\n');
  });
});

describe('a stream over HTTP/1.0, which has no chunked encoding', () => {
  const server = useServer({ streamHeartbeatSeconds: 1_000_000 });

  it('is sent without chunks, and ends when the connection closes', async () => {
    const connection = await requestFlags(server(), '1.0', '/api/client/streaming?namePrefix=old.');
    const { status, headers } = await connection.head();
    expect([status, headers.get('transfer-encoding')]).toEqual([200, undefined]);
    await givenFlag(server(), { name: 'old.one' });
    await expect
      .poll(() => connection.rest())
      .toMatch(/\n\nid: \d+:[0-9a-f]+\nevent: unleash-updated\ndata: [^\n]+\n\n$/);
    expect(connection.rest()).toMatch(/^id: \d+:[0-9a-f]+\nevent: unleash-connected\n/);
    await server().admin.call('POST /api/admin/streaming/disconnect-all');
    await connection.closed();
    expect(connection.rest()).toMatch(/\}\n\n$/);
  });
});

describe('a server that stops', () => {
  it('ends a stream with an empty chunk', async () => {
    const storage = await createStorage();
    const server = await startServer(storage);
    const connection = await requestFlags(server);
    await connection.head();
    await connection.chunk();
    const stopped = server.stop();
    expect(await connection.chunk()).toHaveLength(0);
    await stopped;
    await storage.remove();
  });
});
