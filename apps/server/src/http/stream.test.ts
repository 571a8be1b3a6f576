import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { RouteTable } from '@yardarm/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '#kernel/clock.ts';
import { RawConnection } from '#testing/raw-http.ts';
import { bindRoutes } from './bind.ts';
import { LargeBodies } from './large-bodies.ts';
import type { Guards } from './request.ts';
import { createServer } from './server.ts';
import { UnprovenBodies } from './unproven-bodies.ts';

const table: RouteTable = {
  'GET /pieces': {
    tag: 'Test',
    summary: 'Pieces of text',
    access: 'public',
    query: z.object({ failAt: z.string().optional() }),
    answers: { 200: { kind: 'stream', schema: z.any() } },
    errors: [],
    emits: [],
  },
};

describe('an answer that is a stream', () => {
  let app: FastifyInstance;
  let url: string;
  let made = 0;
  let ended: Promise<void> = Promise.resolve();
  const logged: string[] = [];

  /** Yields pieces of 16 kB without end; throws instead of yielding the piece with the number `failAt`. */
  async function* pieces(failAt: number, end: () => void): AsyncGenerator<string> {
    try {
      for (;;) {
        if (++made === failAt) throw new Error('the database is gone');
        yield 'x'.repeat(16 * 1024);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      end();
    }
  }

  beforeAll(async () => {
    const logger = pino({ level: 'error', base: null }, { write: (line: string) => void logged.push(line) });
    app = await createServer(
      {
        basePath: '',
        trustProxy: 0,
        secure: false,
        logger,
        clock: systemClock,
        allowedMethods: () => [],
        refusedPaths: [],
        cors: { origins: () => [], maxAgeSeconds: 0 },
        stalledMs: 1000,
        onAnswer: () => undefined,
      },
      (scope) => {
        const handlers = {
          'GET /pieces': ({ query }: { query: { failAt?: string | undefined } }) => {
            const { promise, resolve } = Promise.withResolvers<void>();
            ended = promise;
            return { status: 200 as const, body: pieces(Number(query.failAt), resolve) };
          },
        };
        bindRoutes(scope, table, handlers as never, {
          guards: {} as Guards,
          maxBodyBytes: () => 0,
          largeBodies: new LargeBodies(0),
          unprovenBodies: new UnprovenBodies(),
        });
      },
    );
    await app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  afterAll(() => app.close());
  beforeEach(() => {
    made = 0;
    logged.length = 0;
  });

  const ask = async (method: string, path = '/pieces') => {
    const connection = await RawConnection.open(url);
    connection.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return connection;
  };

  it('ends without an error in the log when its reader goes away', async () => {
    const connection = await ask('GET');
    expect((await connection.head()).status).toBe(200);
    connection.end();
    await ended;
    expect(logged).toEqual([]);
  });

  it('is cut off when its reader takes nothing for a while, and not while it reads slowly', async () => {
    const { hostname, port } = new URL(url);
    const [stalled, slow] = [connect(Number(port), hostname), connect(Number(port), hostname)];
    for (const socket of [stalled, slow]) {
      // The server resets the connection when it cuts the stream, because unsent data is left.
      socket.on('error', () => undefined);
      socket.write('GET /pieces HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'readable');
      if (socket === stalled) await ended;
    }
    const cut = ended;
    const begun = performance.now();
    while (performance.now() - begun < 2500) {
      slow.read();
      await once(slow, 'readable');
      await wait(50);
    }
    expect(slow.destroyed).toBe(false);
    for (const socket of [stalled, slow]) socket.destroy();
    await cut;
    expect(logged).toEqual([]);
  });

  it('is cut off when it fails, so that clients see that it is incomplete, and logs the error', async () => {
    const connection = await ask('GET', '/pieces?failAt=5');
    expect((await connection.head()).status).toBe(200);
    await connection.closed();
    expect(connection.rest()).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(logged.join()).toContain('the database is gone');
  });

  it('is answered 500 with an explanation when it fails before it has begun', async () => {
    const connection = await ask('GET', '/pieces?failAt=1');
    const reply = await connection.reply();
    expect({ status: reply.status, name: reply.json.name }).toEqual({ status: 500, name: 'InternalError' });
    expect(reply.body).not.toContain('database');
    connection.end();
  });

  it('is not begun for HEAD', async () => {
    const connection = await ask('HEAD');
    const { status, headers } = await connection.head();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('content-length')).toBeUndefined();
    connection.write('HEAD /pieces HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect((await connection.head()).status).toBe(200);
    expect(made).toBe(0);
    connection.end();
  });
});
