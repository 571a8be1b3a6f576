import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { RouteTable } from '@yardarm/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '#kernel/clock.ts';
import { RawConnection } from '#testing/raw-http.ts';
import { bindRoutes } from './bind.ts';
import type { EventStream } from './event-stream.ts';
import { LargeBodies } from './large-bodies.ts';
import type { Guards } from './request.ts';
import { createServer, type ServerOptions } from './server.ts';
import { UnprovenBodies } from './unproven-bodies.ts';

const common = { tag: 'Test', access: 'public', errors: [], emits: [] } as const;
const table: RouteTable = {
  'GET /held/:n': {
    ...common,
    summary: 'Answers when the test says so',
    params: z.object({ n: z.coerce.number() }),
    answers: { 200: { kind: 'json', schema: z.number() } },
  },
  'GET /counted/:n': {
    ...common,
    summary: 'Answers in a later turn of the event loop',
    params: z.object({ n: z.coerce.number() }),
    answers: { 200: { kind: 'json', schema: z.number() } },
  },
  'POST /echo': {
    ...common,
    summary: 'The body',
    body: z.number(),
    answers: { 200: { kind: 'json', schema: z.number() } },
  },
  'GET /events': { ...common, summary: 'A stream', answers: { 200: { kind: 'events', schema: z.any() } } },
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

describe('requests on one connection', () => {
  let app: FastifyInstance;
  let url: string;
  let connection: RawConnection;
  const streams: EventStream[] = [];
  /** The requests of `/held/:n` that have started, and how each is answered. */
  const held = new Map<number, () => void>();
  let echoed = 0;
  /** The number of requests of `/counted/:n` that are being handled, and its highest value. */
  const counted = { now: 0, most: 0 };

  const serve = async (limits: Pick<ServerOptions, 'stalledMs' | 'maxWaitingRequests'> = {}) => {
    app = await createServer(
      {
        basePath: '',
        trustProxy: 0,
        secure: false,
        logger: pino({ level: 'silent' }),
        clock: systemClock,
        allowedMethods: () => [],
        refusedPaths: [],
        cors: { origins: () => [], maxAgeSeconds: 0 },
        unchanged: new Map([['/unchanged', () => ({ etag: '"1"' })]]),
        ...limits,
        onAnswer: () => undefined,
      },
      (scope) => {
        const handlers = {
          'GET /held/:n': ({ params: { n } }: { params: { n: number } }) =>
            new Promise((resolve) => held.set(n, () => resolve({ status: 200 as const, body: n }))),
          'GET /counted/:n': async ({ params: { n } }: { params: { n: number } }) => {
            counted.most = Math.max(counted.most, ++counted.now);
            await setImmediate();
            counted.now--;
            return { status: 200 as const, body: n };
          },
          'POST /echo': ({ body }: { body: number }) => {
            echoed++;
            return { status: 200 as const, body };
          },
          'GET /events': () => ({ status: 200 as const, body: (stream: EventStream) => void streams.push(stream) }),
        };
        bindRoutes(scope, table, handlers as never, {
          guards: {} as Guards,
          maxBodyBytes: () => 100,
          largeBodies: new LargeBodies(0),
          unprovenBodies: new UnprovenBodies(),
        });
      },
    );
    await app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    connection = await RawConnection.open(url);
  };
  beforeEach(() => {
    held.clear();
    echoed = 0;
    counted.most = 0;
  });
  afterEach(async () => {
    connection.end();
    for (const answer of held.values()) answer();
    await app.close();
  });

  it('are handled one after the other, and answered in order', async () => {
    await serve();
    const count = 3000;
    connection.write(Array.from({ length: count }, (_, n) => get(`/counted/${n}`)).join(''));
    for (let n = 0; n < count; n++) expect((await connection.reply()).json).toBe(n);
    expect(counted.most).toBe(1);
  });

  it('let those of other connections pass', async () => {
    await serve();
    const other = await RawConnection.open(url);
    connection.write(get('/held/1') + get('/held/2'));
    await expect.poll(() => [...held.keys()]).toEqual([1]);
    other.write(get('/held/3'));
    await expect.poll(() => [...held.keys()]).toEqual([1, 3]);
    other.end();
  });

  it('may have bodies, and parts of a body that come later', async () => {
    await serve();
    const last = post('/echo', '12345');
    connection.write(get('/held/1') + post('/echo', '1').repeat(3000) + last.slice(0, -3));
    await expect.poll(() => held.size).toBe(1);
    held.get(1)?.();
    for (let i = 0; i < 3001; i++) expect((await connection.reply()).json).toBe(1);
    connection.write(last.slice(-3));
    expect((await connection.reply()).json).toBe(12345);
  });

  it('are answered 304 in their turn', async () => {
    await serve();
    const unchanged = `GET /unchanged HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: "1"\r\n\r\n`;
    connection.write(unchanged + get('/held/1') + unchanged);
    expect((await connection.reply()).status).toBe(304);
    await expect.poll(() => held.size).toBe(1);
    expect(connection.rest()).toBe('');
    held.get(1)?.();
    expect((await connection.reply()).json).toBe(1);
    expect((await connection.reply()).status).toBe(304);
  });

  it.each(['before the stream begins', 'while the stream is open'])(
    'end a stream before them, when they arrive %s',
    async (when) => {
      await serve();
      connection.write(get('/events') + (when === 'while the stream is open' ? '' : get('/events')));
      if (when === 'while the stream is open') {
        expect((await connection.head()).status).toBe(200);
        connection.write(get('/events'));
      }
      await connection.closed();
    },
  );

  it('are handled no more when their client has gone', async () => {
    await serve();
    connection.write(get('/held/1') + post('/echo', '1').repeat(100));
    await expect.poll(() => held.size).toBe(1);
    connection.end();
    held.get(1)?.();
    const other = await RawConnection.open(url);
    other.write(post('/echo', '2'));
    await other.reply();
    other.end();
    // The first of them may have started before the server saw the end.
    expect(echoed).toBeLessThan(5);
  });

  it('end their connection when too many wait on all connections, which are free again afterwards', async () => {
    await serve({ maxWaitingRequests: 1500 });
    const flood = get('/held/1') + get('/held/2').repeat(2000);
    connection.write(flood);
    await connection.closed();
    connection = await RawConnection.open(url);
    connection.write(get('/held/3') + get('/counted/4').repeat(1000));
    await expect.poll(() => held.has(3)).toBe(true);
    held.get(3)?.();
    expect((await connection.reply()).json).toBe(3);
  });

  it('end their connection when nothing moves on it for a while', async () => {
    await serve({ stalledMs: 100 });
    connection.write(get('/held/1') + get('/held/2'));
    await expect.poll(() => held.size).toBe(1);
    await connection.closed();
  });
});
