import { describe, expect, it } from 'vitest';
import { runClosedLoop } from './closed-loop.ts';
import { LatencyHistogram } from './histogram.ts';
import type { LoadResult, OpenJob } from './job.ts';
import { runOpenLoop } from './open-loop.ts';
import { serveHttp, serveRaw, type TestServer } from './test-server.ts';

const job: Omit<OpenJob, 'origin'> = {
  kind: 'open',
  requests: [{ method: 'GET', path: '/' }],
  connections: 8,
  warmupMs: 0,
  durationMs: 500,
  ratePerSecond: 200,
  arrivals: 'constant',
};
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** A server that answers at once, except that its second request blocks it once for the given time. */
function stalling(stallMs: number): Promise<TestServer> {
  let seen = 0;
  let stalled: (() => void)[] | undefined;
  return serveRaw((socket) => {
    seen += 1;
    const answer = () => socket.write(ok);
    if (seen === 2) {
      stalled = [];
      setTimeout(() => {
        for (const late of stalled ?? []) late();
        stalled = undefined;
      }, stallMs);
    }
    if (stalled === undefined) answer();
    else stalled.push(answer);
  });
}

/** Returns how many latencies exceeded `ms`. Latencies that are less than 1 % shorter may be counted too. */
function slowerThan(result: LoadResult, ms: number): number {
  const histogram = new LatencyHistogram();
  histogram.add(result.histogram);
  let slow = 0;
  while (slow < histogram.count && histogram.percentile(1 - (slow + 0.5) / histogram.count) > ms) slow += 1;
  return slow;
}

describe('open loop', () => {
  it('sends at its rate, also when answers are slow', async () => {
    await using server = await serveHttp((_request, response) => setTimeout(() => response.end('ok'), 20));
    const result = await runOpenLoop({ ...job, origin: server.origin, connections: 16, warmupMs: 100 });
    expect(result.total.sent).toBe(120);
    expect(result.answers).toBe(100);
    expect(result.statuses).toEqual({ 200: 100 });
    expect(result.latency.p50).toBeGreaterThanOrEqual(19);
    expect(result.perSecond).toBeGreaterThan(100);
    expect(result.perSecond).toBeLessThanOrEqual(200);
    await server.drained();
  });

  it('counts latency from the due time, so that all requests in a stall count', async () => {
    await using openServer = await stalling(300);
    const open = await runOpenLoop({ ...job, origin: openServer.origin, connections: 1 });
    await using closedServer = await stalling(300);
    const closed = await runClosedLoop({ ...job, kind: 'closed', origin: closedServer.origin, connections: 1 });

    // 200 requests a second were due for 300 ms: 60 waited, evenly from 300 ms down to 0, so 40 waited longer than 100
    // ms.
    expect(open.answers).toBe(100);
    expect(slowerThan(open, 100)).toBeGreaterThanOrEqual(38);
    expect(open.latency.p50).toBeGreaterThan(30);
    expect(open.sendDelay.max).toBeGreaterThan(250);
    // The closed loop sees one slow request (or, on a busy machine, a few), and so underestimates the stall.
    expect(slowerThan(closed, 100)).toBeLessThanOrEqual(3);
    expect(closed.latency.p50).toBeLessThan(30);
  });

  it('has a queue: requests beyond the connections wait, and their waiting is latency and send delay', async () => {
    await using server = await serveHttp((_request, response) => setTimeout(() => response.end(), 20));
    const result = await runOpenLoop({ ...job, origin: server.origin, connections: 2, drainMs: 10_000 });
    // Two connections answer at most 100 requests a second, and 200 are due: the last one waits as long as the run
    // lasts.
    expect(result.answers).toBe(100);
    expect(result.latency.max).toBeGreaterThan(450);
    expect(result.latency.max - result.sendDelay.max).toBeLessThan(200);
    expect(result.perSecond).toBeLessThan(105);
  });

  it('counts requests sent or queued at the end of the drain time as unanswered, with their waiting time', async () => {
    await using server = await serveRaw(() => undefined);
    const result = await runOpenLoop({ ...job, origin: server.origin, connections: 3, drainMs: 100 });
    expect(result.answers).toBe(0);
    expect(result.errors).toEqual({ unanswered: 100 });
    expect(result.total.sent).toBe(3);
    expect(result.latency.count).toBe(100);
    expect(result.latency.max).toBeGreaterThanOrEqual(599);
    expect(result.perSecond).toBe(0);
    await server.drained();
  });

  it('counts connections reset under a request as errors, without a latency', async () => {
    await using server = await serveRaw((socket, request) => {
      if (request === 4) socket.resetAndDestroy();
      else socket.write(ok);
    });
    const result = await runOpenLoop({ ...job, origin: server.origin, connections: 1 });
    expect(result.errors).toEqual({ ECONNRESET: 25 });
    expect(result.answers).toBe(75);
    expect(result.latency.count).toBe(75);
  });

  it('counts refusals as errors when the server goes away for good, and ends in time', async () => {
    const server = await serveRaw((socket) => {
      socket.write(ok);
      if (server.open.size > 0) void server[Symbol.asyncDispose]();
    });
    const result = await runOpenLoop({ ...job, origin: server.origin, connections: 2 });
    expect(result.errors.ECONNREFUSED).toBeGreaterThan(90);
    expect(result.answers + Object.values(result.errors).reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  it('has about as many arrivals when they are poisson', async () => {
    await using server = await serveRaw((socket) => socket.write(ok));
    const result = await runOpenLoop({ ...job, origin: server.origin, arrivals: 'poisson', ratePerSecond: 2000 });
    // 1,000 expected, standard deviation 32.
    expect(result.answers).toBeGreaterThan(800);
    expect(result.answers).toBeLessThan(1200);
    expect(result.errors).toEqual({});
  });

  it('rejects when nothing listens', async () => {
    const server = await serveRaw(() => undefined);
    await server[Symbol.asyncDispose]();
    await expect(runOpenLoop({ ...job, origin: server.origin })).rejects.toThrow(/Cannot connect.*ECONNREFUSED/);
  });

  it.each<Partial<OpenJob>>([
    { ratePerSecond: 0 },
    { ratePerSecond: Number.POSITIVE_INFINITY },
    { ratePerSecond: 1e6, durationMs: 100_000 },
    { drainMs: -1 },
  ])('refuses a job without bounds: %j', async (part) => {
    await expect(runOpenLoop({ ...job, origin: 'http://127.0.0.1:1', ...part })).rejects.toThrow(RangeError);
  });
});
