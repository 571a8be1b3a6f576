import { describe, expect, it } from 'vitest';
import { withLongestTurn } from '#testing/longest-turn.ts';
import { RawConnection, type RawReply, rawAnswer } from '#testing/raw-http.ts';
import { expectProblem, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

describe('invalid requests', () => {
  const adminToken = '*:*.for-administrators';
  const server = useServer({ initAdminTokens: [adminToken] });
  const host = 'Host: localhost\r\n';
  const admin = `${host}Authorization: ${adminToken}\r\n`;

  const answerTo = (data: string | Uint8Array) => rawAnswer(server().url, data);
  const expectExplained = (reply: RawReply, status: number) => {
    expect(reply.status, reply.body).toBe(status);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.json).toMatchObject({
      id: expect.any(String),
      name: expect.any(String),
      message: expect.any(String),
    });
    expect(reply.body).not.toMatch(/node_modules|\.ts:\d|at async/);
  };

  describe('bytes that are not HTTP', () => {
    it.each([
      ['nothing but noise', '\x00\x01\x02\xff\r\n\r\n'],
      ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
      ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
      ['a method that there is not', `FETCH / HTTP/1.1\r\n${host}\r\n`],
      ['a version that there is not', `GET / HTTP/9.9\r\n${host}\r\n`],
      ['a header without a colon', `GET /health HTTP/1.1\r\n${host}nothing\r\n\r\n`],
      ['a control character in a header', `GET /health HTTP/1.1\r\n${host}X: a\x00b\r\n\r\n`],
      ['a length that is no number', `POST /health HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`],
      ['two lengths', `POST /health HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
      [
        'a length and chunks',
        `POST /health HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ],
      ['a space in the path', `GET /a b HTTP/1.1\r\n${host}\r\n`],
      ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
      ['two hosts', `GET /health HTTP/1.1\r\n${host}host: example.com\r\n\r\n`],
      ['one host twice', `GET /health HTTP/1.1\r\n${host}${host}\r\n`],
    ])('%s is answered 400, with an explanation', async (_name, data) => {
      expectExplained(await answerTo(Buffer.from(data, 'latin1')), 400);
    });

    it('headers of more than 16 kB are answered 431', async () => {
      expectExplained(await answerTo(`GET /health HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`), 431);
      const many = Array.from({ length: 2000 }, (_, n) => `X-${n}: ${n}\r\n`).join('');
      expectExplained(await answerTo(`GET /health HTTP/1.1\r\n${host}${many}\r\n`), 431);
      expectExplained(await answerTo(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`), 431);
    });

    it('a chunk of no known length is answered 400', async () => {
      const create = `POST /api/admin/signal-endpoints HTTP/1.1\r\n${admin}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      expectExplained(await answerTo(`${create}zz\r\n{}\r\n0\r\n\r\n`), 400);
    });

    it('does not keep the next connection from being served', async () => {
      for (let i = 0; i < 20; i++) await answerTo('\r\n\r\nnoise\r\n\r\n').catch(() => undefined);
      expect((await answerTo(`GET /health HTTP/1.1\r\n${host}\r\n`)).status).toBe(200);
    });
  });

  describe('paths and methods', () => {
    it.each([
      '/api',
      '/api/',
      '/api/admin',
      '/api/admin/nothing',
      '/api/admin/events/a/b',
      '/nothing',
      '/api/signal-endpoint',
      '/.env',
    ])('%s is answered 404, with its name', async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const reply = await server().admin.request(method, path);
        expect(reply.status).toBe(404);
        expectProblem(reply);
        expect(reply.json).toMatchObject({
          name: 'NotFoundError',
          message: expect.stringContaining(path.replace(/\/$/, '')),
        });
      }
    });

    it('a method that a path does not take is answered 405, with those it does', async () => {
      for (const [method, path, allow] of [
        ['PUT', '/api/admin/signal-endpoints', 'GET, HEAD, POST'],
        ['PATCH', '/api/admin/signal-endpoints/1', 'PUT, DELETE'],
        ['POST', '/api/admin/events', 'GET, HEAD'],
        ['DELETE', '/health', 'GET, HEAD'],
        ['OPTIONS', '/api/admin/events/x', 'GET, HEAD'],
        ['GET', '/api/signal-endpoint/x', 'POST, PUT, OPTIONS'],
      ] as const) {
        const reply = await server().admin.request(method, path);
        expect(reply.status).toBe(405);
        expectProblem(reply);
        expect(reply.headers.get('allow')).toBe(allow);
      }
      const trace = await answerTo(`TRACE /api/admin/events HTTP/1.1\r\n${admin}\r\n`);
      expectExplained(trace, 405);
      expectExplained(await answerTo(`PROPFIND /api/admin/events HTTP/1.1\r\n${admin}\r\n`), 405);
    });

    it.each(['/api/admin/events/%', '/api/admin/events/%zz', '/api/admin/events/%c3%28', '/%', '/api/admin/%ff'])(
      'the percent encoding of %s is answered 400',
      async (path) => {
        const reply = await answerTo(`GET ${path} HTTP/1.1\r\n${admin}\r\n`);
        expectExplained(reply, 400);
      },
    );

    it('percent encoding in a query that means nothing is taken as it is, or refused', async () => {
      for (const query of [
        '?project=%',
        '?project=%zz',
        '?project=%c3%28',
        '?%=%',
        '?=',
        '?&&&',
        '?project',
        '?a[b][c]=1',
      ]) {
        expect([200, 400]).toContain((await answerTo(`GET /api/admin/events${query} HTTP/1.1\r\n${admin}\r\n`)).status);
      }
    });

    it('names that are longer than any are answered 414', async () => {
      const answerFor = (length: number) =>
        answerTo(`GET /api/admin/events/${'x'.repeat(length)} HTTP/1.1\r\n${admin}\r\n`);
      expect((await answerFor(500)).status).toBe(200);
      for (const length of [501, 5000]) {
        const reply = await answerFor(length);
        expectExplained(reply, 414);
        expect(reply.body).toContain('UriTooLongError');
      }
    });

    it('dots in a path lead nowhere', async () => {
      for (const path of [
        '/../../etc/passwd',
        '/api/admin/../../etc/passwd',
        '/%2e%2e/%2e%2e/etc/passwd',
        '//etc/passwd',
      ]) {
        expectExplained(await answerTo(`GET ${path} HTTP/1.1\r\n${admin}\r\n`), 404);
      }
    });

    it('the address of another server, or of none, does no harm', async () => {
      for (const target of ['http://example.org/', 'example.org:443', '*', '?']) {
        const reply = await answerTo(`GET ${target} HTTP/1.1\r\n${admin}\r\n`);
        expect(reply.status).toBeLessThan(500);
      }
    });

    it('HEAD gets what GET gets, without a body', async () => {
      for (const [path, status] of [
        ['/health', 200],
        ['/api/admin/events', 200],
        ['/api/admin/nothing', 404],
      ] as const) {
        const connection = await RawConnection.open(server().url);
        connection.write(`HEAD ${path} HTTP/1.1\r\n${admin}\r\n`);
        expect((await connection.head()).status).toBe(status);
        // If the answer to HEAD had a body, the client would read that body as the next answer.
        connection.write(`GET /health HTTP/1.1\r\n${host}\r\n`);
        expect((await connection.reply()).status).toBe(200);
        connection.end();
      }
    });
  });

  describe('bodies', () => {
    const create = (raw: string) =>
      server().admin.call('POST /api/admin/signal-endpoints', { raw, headers: { 'content-type': 'application/json' } });

    it.each([
      '{"name":"polluted","__proto__":{"enabled":false}}',
      '{"name":"polluted","constructor":{"prototype":{"polluted":true}},"a":{"__proto__":[]}}',
      '[{"__proto__":1}]',
      '{"\\u005f\\u005fproto\\u005f\\u005f":{"x":1},"name":"polluted"}',
    ])('%s reaches no prototype', async (raw) => {
      const before = await lastEventId(server());
      const reply = await create(raw);
      expect(reply.status).toBe(400);
      expectProblem(reply);
      expect(await lastEventId(server())).toBe(before);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it('nested by the thousand are refused, not choked on', async () => {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const reply = await create(`${open.repeat(10_000)}1${close.repeat(10_000)}`);
        expect(reply.status).toBe(400);
        expectProblem(reply);
      }
    });

    it('of numbers with many digits are refused, not choked on', async () => {
      const { longestTurnMs } = await withLongestTurn(async () => {
        expect((await create(`{"name":${'9'.repeat(100_000)}}`)).status).toBe(400);
        expect((await create(`{"name":1e${'9'.repeat(1000)}}`)).status).toBe(400);
      });
      expect(longestTurnMs).toBeLessThan(200);
    });

    it('are explained field by field', async () => {
      const reply = await create('{"name":"UPPER","description":7,"enabled":"yes"}');
      expect(reply.status).toBe(400);
      expect(reply.json.details.map(({ path }: { path: string }) => path).sort()).toEqual([
        'description',
        'enabled',
        'name',
      ]);
    });

    it('are explained where several kinds of values are allowed', async () => {
      const token = { tokenName: 'x', type: 'client', environment: 'development' };
      for (const [project, message] of [
        [42, 'Invalid input: expected "*" or string'],
        ['a b', 'must have 1 to 100 characters, only letters, digits and _~.-'],
      ]) {
        const reply = await server().admin.call('POST /api/admin/api-tokens', {
          body: { ...token, projects: [project] },
        });
        expect(reply).toMatchObject({ status: 400, json: { details: [{ message: `projects.0: ${message}` }] } });
      }
    });

    it('of any kind are ignored on routes that need none', async () => {
      for (const raw of ['{"broken":', '\0', 'x'.repeat(200_000)]) {
        const reply = await server().admin.request('DELETE', '/api/admin/signal-endpoints/999', { raw });
        expect(reply.status).toBe(404);
      }
    });
  });

  it('leaves no error in the log', () => {
    expect(server().logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});
