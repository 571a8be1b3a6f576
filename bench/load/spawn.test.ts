import { describe, expect, it } from 'vitest';
import type { ClosedJob } from './job.ts';
import { generateLoad } from './spawn.ts';
import { serveHttp } from './test-server.ts';

const job: Omit<ClosedJob, 'origin'> = {
  kind: 'closed',
  requests: [{ method: 'POST', path: '/', body: '{{id}}' }],
  connections: 2,
  warmupMs: 0,
  durationMs: 60_000,
  maxRequests: 50,
};

/** Node keeps a process's handle for a moment after its end. */
function childProcesses(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
}

describe('load from a process of its own', () => {
  it('runs the job there and returns the result with its histogram', async () => {
    await using server = await serveHttp((request, response) => {
      request.resume().on('end', () => response.end('{}'));
    });
    const result = await generateLoad({ ...job, origin: server.origin });
    expect(result.total).toEqual({ sent: 50, answers: 50, statuses: { 200: 50 }, errors: {} });
    expect(result.latency.count).toBe(50);
    expect(result.histogram.buckets.reduce((sum, [, count]) => sum + count, 0)).toBe(50);
    expect(result.strain.cpu).toBeGreaterThan(0);
    await server.drained();
    await expect.poll(childProcesses).toBe(0);
  });

  it('runs an open loop as well', async () => {
    await using server = await serveHttp((_request, response) => response.end('ok'));
    const { maxRequests: _, ...common } = job;
    const open = { ...common, kind: 'open', ratePerSecond: 500, arrivals: 'constant', durationMs: 100 } as const;
    const result = await generateLoad({ ...open, requests: [{ method: 'GET', path: '/' }], origin: server.origin });
    expect(result).toMatchObject({ kind: 'open', intendedPerSecond: 500, answers: 50, errors: {} });
  });

  it('rejects with the output of the process, and leaves no process behind', async () => {
    await expect(generateLoad({ ...job, origin: 'http://127.0.0.1:1' })).rejects.toThrow(
      /ended with 1:[\s\S]*ECONNREFUSED/,
    );
    await expect(generateLoad({ ...job, origin: 'https://127.0.0.1:1' })).rejects.toThrow(/speaks http only/);
    await expect.poll(childProcesses).toBe(0);
  });

  it('refuses a job without bounds before it starts a process', async () => {
    const endless = { ...job, origin: 'http://127.0.0.1:1', durationMs: Number.POSITIVE_INFINITY };
    await expect(generateLoad(endless)).rejects.toThrow(RangeError);
  });
});
