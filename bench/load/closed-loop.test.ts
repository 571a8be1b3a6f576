import { describe, expect, it } from 'vitest';
import { runClosedLoop } from './closed-loop.ts';
import type { ClosedJob } from './job.ts';
import { serveHttp, serveRaw } from './test-server.ts';
import { assertAnswered } from './verdict.ts';

const job: Omit<ClosedJob, 'origin'> = {
  kind: 'closed',
  requests: [{ method: 'GET', path: '/' }],
  connections: 4,
  warmupMs: 0,
  durationMs: 150,
};
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('closed loop', () => {
  it('keeps one request in flight on each connection and counts the answers', async () => {
    const seen = { requests: 0, now: 0, most: 0, bodies: new Set<string>() };
    await using server = await serveHttp((request, response) => {
      seen.requests += 1;
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      request.setEncoding('utf8').on('data', (body: string) => seen.bodies.add(body));
      const status = seen.requests % 2 === 0 ? 202 : 200;
      const answer = () => {
        seen.now -= 1;
        response.writeHead(status).end('12345');
      };
      request.on('end', () => setTimeout(answer, 2));
    });
    const requests = [{ method: 'POST', path: '/', body: '{{id}}' }];
    const result = await runClosedLoop({ ...job, origin: server.origin, requests, warmupMs: 50 });
    expect(seen.most).toBe(4);
    expect(result.connects).toBe(4);
    expect(seen.bodies.size).toBe(seen.requests);
    expect(result.total).toEqual({
      sent: seen.requests,
      answers: seen.requests,
      statuses: expect.anything(),
      errors: {},
    });
    expect(result.answers).toBeGreaterThan(0);
    expect(result.answers).toBeLessThan(result.total.answers);
    expect((result.statuses['200'] ?? 0) + (result.statuses['202'] ?? 0)).toBe(result.answers);
    expect(result.bodyBytes).toBe(5 * result.answers);
    expect(result.latency.count).toBe(result.answers);
    await server.drained();
  });

  it('sends each connection its requests in turn', async () => {
    const paths: string[] = [];
    await using server = await serveHttp((request, response) => {
      paths.push(request.url ?? '');
      response.end();
    });
    const requests = ['on', 'off'].map((state) => ({ method: 'POST', path: `/${state}/{{connection}}` }));
    await runClosedLoop({ ...job, origin: server.origin, requests, connections: 2, maxRequests: 40 });
    for (const connection of [0, 1]) {
      const own = paths.filter((path) => path.endsWith(`/${connection}`)).slice(0, 4);
      expect(own).toEqual(['on', 'off', 'on', 'off'].map((state) => `/${state}/${connection}`));
    }
  });

  it('stops after the most requests it may send', async () => {
    await using server = await serveRaw((socket) => socket.write(ok));
    const result = await runClosedLoop({ ...job, origin: server.origin, durationMs: 60_000, maxRequests: 25 });
    expect(result.total).toEqual({ sent: 25, answers: 25, statuses: { 200: 25 }, errors: {} });
  });

  it('measures a server that answers only after the measured time until its first answer', async () => {
    await using server = await serveRaw((socket) => void setTimeout(() => socket.write(ok), 40));
    const result = await runClosedLoop({ ...job, origin: server.origin, durationMs: 1 });
    expect(result.perSecond).toBeGreaterThan(0);
    expect(result.perSecond).toBeLessThanOrEqual((1000 * job.connections) / 39);
    // A connection whose turn comes after the measured time sends nothing.
    expect(result.total.answers).toBe(result.total.sent);
    expect(result.total.answers).toBeLessThanOrEqual(job.connections);
  });

  it('counts connections reset under a request as errors and goes on with new ones', async () => {
    await using server = await serveRaw((socket, request) => {
      if (request === 3) socket.resetAndDestroy();
      else socket.write(ok);
    });
    const result = await runClosedLoop({
      ...job,
      origin: server.origin,
      connections: 1,
      maxRequests: 9,
      durationMs: 10_000,
    });
    expect(result.total).toEqual({ sent: 9, answers: 6, statuses: { 200: 6 }, errors: { ECONNRESET: 3 } });
    expect(result.latency.count).toBe(6);
    expect(() => assertAnswered(result, [200])).toThrow('ECONNRESET');
    await server.drained();
  });

  it('counts an answer cut short as an error', async () => {
    await using server = await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'));
    const result = await runClosedLoop({ ...job, origin: server.origin, connections: 1, maxRequests: 2 });
    expect(result.total).toEqual({ sent: 2, answers: 0, statuses: {}, errors: { closed: 2 } });
  });

  it('counts an answer that is not HTTP as an error', async () => {
    await using server = await serveRaw((socket) => socket.write('hello\r\n\r\n'));
    const result = await runClosedLoop({ ...job, origin: server.origin, connections: 1, maxRequests: 2 });
    expect(result.total.errors).toEqual({ malformed: 2 });
  });

  it('counts no error when the server closes after each answer', async () => {
    await using server = await serveRaw((socket, request) => {
      if (request % 2 === 0) socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end');
      else socket.write(ok);
    });
    const result = await runClosedLoop({ ...job, origin: server.origin, connections: 1, maxRequests: 6 });
    expect(result.total).toEqual({ sent: 6, answers: 6, statuses: { 200: 6 }, errors: {} });
    expect(result.connects).toBe(3);
  });

  it('fails an unanswered request after its time-out, and counts how long it waited', async () => {
    await using server = await serveRaw(() => undefined);
    const result = await runClosedLoop({
      ...job,
      origin: server.origin,
      connections: 3,
      timeoutMs: 60,
      maxRequests: 3,
    });
    expect(result.errors).toEqual({ timeout: 3 });
    expect(result.latency.count).toBe(3);
    expect(result.latency.p50).toBeGreaterThanOrEqual(60);
    await server.drained();
  });

  it('rejects when nothing listens', async () => {
    const server = await serveRaw(() => undefined);
    await server[Symbol.asyncDispose]();
    await expect(runClosedLoop({ ...job, origin: server.origin })).rejects.toThrow(/Cannot connect.*ECONNREFUSED/);
  });

  it.each<Partial<ClosedJob>>([
    { connections: 0 },
    { connections: 1e6 },
    { durationMs: Number.POSITIVE_INFINITY },
    { durationMs: Number.NaN },
    { requests: [] },
    { maxRequests: 1e12 },
  ])('refuses a job without bounds: %j', async (part) => {
    await expect(runClosedLoop({ ...job, origin: 'http://127.0.0.1:1', ...part })).rejects.toThrow(RangeError);
  });
});
