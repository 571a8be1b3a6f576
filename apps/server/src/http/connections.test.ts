import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RawConnection, rawAnswer } from '#testing/raw-http.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const scrape = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Reads the value of a metric. The connection that reads it is open meanwhile, so metrics of connections count it. */
async function metric(server: TestServer, name: string): Promise<number> {
  const { body } = await rawAnswer(server.url, scrape);
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1]);
}

const opened: (Socket | RawConnection)[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) {
    if (connection instanceof RawConnection) connection.end();
    else connection.destroy();
  }
});

async function open(server: TestServer): Promise<RawConnection> {
  const connection = await RawConnection.open(server.url);
  opened.push(connection);
  return connection;
}

describe('a client that keeps its side of the connection open', () => {
  const server = useServer();

  it('is disconnected after the answer to bytes that are no HTTP', async () => {
    const { hostname, port } = new URL(server().url);
    for (let i = 0; i < 20; i++) {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      opened.push(socket);
      // The test waits until the server closes the connection; the server may do so with a reset.
      socket.on('error', () => undefined);
      socket.write('noise\r\n\r\n');
      const received: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => received.push(chunk));
      await once(socket, 'end');
      expect(Buffer.concat(received).toString()).toMatch(
        /^HTTP\/1\.1 400 .*"message":"This is not a valid HTTP request\."}$/s,
      );
    }
    await expect.poll(() => metric(server(), 'http_connections_open'), { timeout: 5000 }).toBe(1);
  });
});

describe('a limit on connections', () => {
  const server = useServer({ connectionLimit: 5, connectionsPerAddressLimit: 0 });

  it('closes connections beyond it on arrival, serves the others, and takes new ones when some have gone', async () => {
    const held = await Promise.all(Array.from({ length: 5 }, () => open(server())));
    await (await open(server())).closed();
    for (const connection of held) {
      connection.write(health);
      expect((await connection.reply()).status).toBe(200);
    }
    // Frees one connection for the poll, and one for the scrape of the metric, which may begin before the server has
    // noticed that the connection of the poll has ended.
    for (const connection of held.slice(0, 2)) connection.end();
    await expect
      .poll(() =>
        rawAnswer(server().url, health).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    expect(await metric(server(), 'http_connections_refused_total')).toBeGreaterThan(0);
  });
});

describe('a limit on connections of one address', () => {
  const server = useServer({ connectionsPerAddressLimit: 3 });

  it('closes connections of that address beyond it', async () => {
    const held = await Promise.all(Array.from({ length: 3 }, () => open(server())));
    await (await open(server())).closed();
    held[0]?.write(health);
    expect((await held[0]?.reply())?.status).toBe(200);
  });
});

describe('a limit on connections of one address behind a proxy', () => {
  const server = useServer({ connectionsPerAddressLimit: 3, trustProxy: 1 });

  it('is lifted, because all connections are those of the proxy', async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => open(server())));
    for (const connection of held) {
      connection.write(health);
      expect((await connection.reply()).status).toBe(200);
    }
  });
});

describe('a server that stops', () => {
  it('serves for a grace in which /ready says 503 and each answer, also a 304, ends its connection', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, { shutdownDelayMs: 1000 });
    const { secret } = await givenToken(server);
    const poll = (etag: string) =>
      `GET /api/client/features HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${secret}\r\nIf-None-Match: ${etag}\r\n\r\n`;
    const [probe, sdk] = [await open(server), await open(server)];
    sdk.write(poll('"none"'));
    const first = await sdk.reply();
    expect([first.status, first.headers.get('connection')]).toEqual([200, 'keep-alive']);
    const stopped = server.stop();
    probe.write('GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const notReady = await probe.reply();
    expect([notReady.status, notReady.headers.get('connection')]).toEqual([503, 'close']);
    sdk.write(poll(first.headers.get('etag') ?? ''));
    const last = await sdk.head();
    expect([last.status, last.headers.get('connection')]).toEqual([304, 'close']);
    await sdk.closed();
    // Until the shutdown delay ends, the server still accepts new connections.
    expect((await rawAnswer(server.url, health)).status).toBe(200);
    await stopped;
    await storage.remove();
  });
});
