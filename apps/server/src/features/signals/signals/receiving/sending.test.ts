import { beforeAll, describe, expect, it } from 'vitest';
import { RawConnection } from '#testing/raw-http.ts';
import { expectProblem } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, received, send, type TestEndpoint } from '#testing/signals.ts';

const limit = 102_400;

describe('POST /api/signal-endpoint/:name', () => {
  const server = useServer();
  let endpoint: TestEndpoint;
  beforeAll(async () => {
    endpoint = await givenEndpoint(server());
  });
  const stored = async () => (await received(server(), endpoint, 1000)).json.signalEndpointSignals;
  /** Returns a request head with the endpoint's token and these header lines. */
  const head = (...lines: string[]) =>
    [
      `POST /api/signal-endpoint/${endpoint.name} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${endpoint.token}`,
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n');
  const small = (n: number) => `${head('Content-Length: 7')}{"n":${n}}`;
  /** Returns a body of this size. */
  const sized = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;

  it('answers 200 with the stored signal', async () => {
    const reply = await send(server(), endpoint, '{"type":"alert","data":{"n":1}}');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
    expect(reply.json).toEqual({
      signals: [
        {
          id: expect.any(Number),
          source: 'signal-endpoint',
          sourceId: endpoint.id,
          createdAt: new Date(server().clock.now()).toISOString(),
          createdBySourceTokenId: endpoint.tokenId,
          normalized: null,
          payload: { type: 'alert', data: { n: 1 } },
        },
      ],
      duplicate: false,
    });
    const [newest] = await stored();
    expect(newest).toEqual({
      id: reply.json.signals[0].id,
      source: 'signal-endpoint',
      sourceId: endpoint.id,
      createdAt: reply.json.signals[0].createdAt,
      tokenName: 'first',
      test: false,
      silence: false,
      normalized: null,
      payload: { type: 'alert', data: { n: 1 } },
    });
  });

  it('answers once the signal is stored, also for concurrent signals, each with its own id', async () => {
    const replies = await Promise.all(Array.from({ length: 200 }, (_, n) => send(server(), endpoint, `{"n":${n}}`)));
    const ids = new Map(
      (await stored()).map((signal: { id: number; payload: unknown }) => [signal.id, signal.payload]),
    );
    for (const [n, { json }] of replies.entries()) expect(ids.get(json.signals[0].id)).toEqual({ n });
    expect(new Set(replies.map(({ json }) => json.signals[0].id)).size).toBe(200);
  });

  it.each(['GET', 'PATCH', 'DELETE'])('accepts POST and PUT, not %s', async (method) => {
    const reply = await server().anonymous.request(method, `/api/signal-endpoint/${endpoint.name}`);
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toBe('POST, PUT, OPTIONS');
    expectProblem(reply);
  });

  describe('payload size limit', () => {
    it('accepts 102,400 bytes, whatever the characters', async () => {
      const reply = await send(server(), endpoint, sized(limit));
      expect(reply.status).toBe(200);
      expect(reply.json.signals[0].payload).toHaveLength(limit - 2);
      // Two bytes per character: the same size in bytes, half the characters.
      expect((await send(server(), endpoint, `"${'é'.repeat((limit - 2) / 2)}"`)).status).toBe(200);
    });

    it('answers 413 to 102,401 bytes and stores nothing', async () => {
      const before = (await stored()).length;
      for (const body of [sized(limit + 1), `"${'é'.repeat(limit / 2)}"`, ' '.repeat(limit + 1)]) {
        const reply = await send(server(), endpoint, body);
        expect(reply.status).toBe(413);
        expectProblem(reply);
        expect(reply.json).toMatchObject({ name: 'ContentTooLarge', message: expect.stringContaining('102400') });
      }
      expect(await stored()).toHaveLength(before);
    });

    it.each([limit + 1, 1024 * 1024, 10 * 1024 * 1024])('keeps the connection usable after %i bytes', async (bytes) => {
      const connection = await RawConnection.open(server().url);
      connection.write(head(`Content-Length: ${bytes}`) + sized(bytes) + small(1));
      expect((await connection.reply()).status).toBe(413);
      const next = await connection.reply();
      expect({ status: next.status, payload: next.json.signals[0].payload }).toEqual({
        status: 200,
        payload: { n: 1 },
      });
      connection.end();
    });

    it('counts the bytes of a chunked body, and keeps its connection usable too', async () => {
      const connection = await RawConnection.open(server().url);
      const chunked = (body: string, size = 1000) => {
        const chunks = body.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        return `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
      };
      const chunkedHead = head('Transfer-Encoding: chunked');
      connection.write(chunkedHead + chunked(sized(limit)));
      expect((await connection.reply()).status).toBe(200);
      connection.write(chunkedHead + chunked(sized(limit + 1)));
      expect((await connection.reply()).status).toBe(413);
      connection.write(chunkedHead + chunked('{"chunked":true}', 3));
      expect((await connection.reply()).json.signals[0].payload).toEqual({ chunked: true });
      connection.end();
    });

    it('answers 413 before a body that is too large has arrived', async () => {
      const connection = await RawConnection.open(server().url);
      connection.write(head(`Content-Length: ${limit + 1}`));
      expect((await connection.reply()).status).toBe(413);
      connection.end();
    });

    it('treats an empty chunked body as no body', async () => {
      const connection = await RawConnection.open(server().url);
      connection.write(
        `POST /api/signal-endpoint/${endpoint.name} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${endpoint.token}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      );
      const reply = await connection.reply();
      expect({ status: reply.status, payload: reply.json.signals?.[0].payload }).toEqual({ status: 200, payload: {} });
      connection.end();
    });

    it('stores nothing when the body breaks off', async () => {
      const before = (await stored()).length;
      const connection = await RawConnection.open(server().url);
      connection.write(`${head('Content-Length: 100')}{"n":`);
      // Wait for the answer on another connection: by then the server has read the incomplete request.
      await send(server(), endpoint, '{}');
      connection.end();
      await send(server(), endpoint, '{}');
      expect(await stored()).toHaveLength(before + 2);
    });
  });

  describe('the token is checked before the body is read', () => {
    const stranger = (...lines: string[]) =>
      [`POST /api/signal-endpoint/${endpoint.name} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');

    it.each([
      ['with Content-Length', ['Content-Type: application/json', 'Content-Length: 100000']],
      ['with a length over the limit', ['Content-Type: application/json', 'Content-Length: 999999999']],
      ['chunked', ['Content-Type: application/json', 'Transfer-Encoding: chunked']],
      ['of an unsupported content type', ['Content-Type: image/png', 'Content-Length: 100000']],
      ['with a wrong token', ['Authorization: Bearer signal_wrong', 'Content-Length: 100000']],
    ])('answers 401 at once, before a body %s arrives', async (_name, lines) => {
      const connection = await RawConnection.open(server().url);
      connection.write(stranger(...lines));
      const reply = await connection.reply();
      expect(reply.status).toBe(401);
      expect(reply.json).toMatchObject({
        name: 'UnauthorizedError',
        message: expect.any(String),
        id: expect.any(String),
      });
      connection.end();
    });

    it('sends no 100 Continue to a sender with a wrong token', async () => {
      const connection = await RawConnection.open(server().url);
      connection.write(stranger('Content-Length: 7', 'Content-Type: application/json', 'Expect: 100-continue'));
      const reply = await connection.reply();
      expect(reply.status).toBe(401);
      // The sender may or may not send the body, so the rest of this connection cannot be parsed reliably.
      expect(reply.headers.get('connection')).toBe('close');
      await connection.closed();
    });

    it('sends 100 Continue when the token and the size are valid', async () => {
      const connection = await RawConnection.open(server().url);
      connection.write(head('Content-Length: 7', 'Expect: 100-continue'));
      expect((await connection.reply()).status).toBe(100);
      connection.write('{"n":3}');
      expect((await connection.reply()).json.signals[0].payload).toEqual({ n: 3 });
      connection.write(small(4));
      expect((await connection.reply()).status).toBe(200);
      connection.write(head(`Content-Length: ${limit + 1}`, 'Expect: 100-continue'));
      expect((await connection.reply()).status).toBe(413);
      await connection.closed();
    });
  });
});
