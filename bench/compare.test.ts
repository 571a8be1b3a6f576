import { describe, expect, it } from 'vitest';
import { closedLoad, compareThroughput } from './compare.ts';
import { startFloor } from './floors/start.ts';
import { aloneLatency } from './latency.ts';
import { testContext } from './test-context.ts';

const requests = [{ method: 'GET', path: '/' }];
const measurement = { name: 'echo', unit: 'requests/s', connections: 4 };

describe('comparing the throughput of two servers', () => {
  it('reports rate, floor, ratio of each round, and the cost per request of both', async () => {
    await using context = await testContext();
    await using server = await startFloor('node-echo');
    const must = { of: 'ratio', atLeast: 0.8 } as const;
    const target = { server, requests };
    // Longer than a smoke run: on a busy machine, 100 ms may pass without an answer.
    const twice = { ...context, rounds: 2, ms: () => 500 };
    const finding = await compareThroughput(twice, { ...measurement, must }, { ...target, name: 'itself' }, target);
    expect(finding).toMatchObject({ name: 'echo', unit: 'requests/s', floor: { name: 'itself' }, must });
    expect(finding.value).toBeGreaterThan(0);
    const [least, greatest] = finding.range ?? [0, 0];
    expect(finding.ratio).toBeGreaterThanOrEqual(least);
    expect(finding.ratio).toBeLessThanOrEqual(greatest);
    expect(finding.detail).toMatchObject({
      rounds: [{}, {}],
      cpuMicroseconds: process.platform === 'linux' ? { floor: { length: 2 }, subject: { length: 2 } } : {},
    });
  });

  it('rejects when one of them answers otherwise', async () => {
    await using context = await testContext();
    await using server = await startFloor('node-echo');
    const target = { server, requests };
    await expect(
      compareThroughput(context, { ...measurement, status: 304 }, { ...target, name: 'itself' }, target),
    ).rejects.toThrow('Expected only 304');
  });

  it('warms up, but not in a smoke run, where nothing would be left to measure', () => {
    expect(closedLoad({ smoke: true, ms: () => 7 }, 8)).toMatchObject({ connections: 8, warmupMs: 0, durationMs: 7 });
    expect(closedLoad({ smoke: false, ms: (full) => full }, 8).warmupMs).toBeGreaterThan(0);
  });
});

describe('the latency of one client alone', () => {
  it('counts every answer', async () => {
    await using context = await testContext();
    await using server = await startFloor('node-echo');
    const latency = await aloneLatency(context, server, { method: 'GET', path: '/' }, { durationMs: 50 });
    expect(latency.count).toBeGreaterThan(0);
    expect(latency.p99).toBeGreaterThanOrEqual(latency.p50);
    await expect(
      aloneLatency(context, server, { method: 'GET', path: '/' }, { durationMs: 50, status: 304 }),
    ).rejects.toThrow('Expected only 304');
  });
});
