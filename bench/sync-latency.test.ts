import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncLatency } from './sync-latency.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'yardarm-bench-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('writing and syncing', () => {
  it('appends 4 kB each time, as often as it is told to', async () => {
    const file = join(directory, 'append');
    expect(syncLatency(file, 'append', { writes: 5, ms: 10_000 }).count).toBe(5);
    expect((await stat(file)).size).toBe(5 * 4096);
  });

  it('cycles through a file that does not grow', async () => {
    const file = join(directory, 'overwrite');
    syncLatency(file, 'overwrite', { writes: 1, ms: 10_000 });
    const { size } = await stat(file);
    expect(syncLatency(file, 'overwrite', { writes: 3, ms: 10_000 }).count).toBe(3);
    expect((await stat(file)).size).toBe(size);
  });

  it('ends when its time is up', () => {
    const { count } = syncLatency(join(directory, 'long'), 'append', { writes: 1e9, ms: 20 });
    expect(count).toBeGreaterThan(0);
  });
});
