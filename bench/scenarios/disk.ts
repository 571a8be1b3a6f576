import { join } from 'node:path';
import type { Scenario } from '../scenario.ts';
import { syncLatency } from '../sync-latency.ts';

/** Measures how long this disk takes to store 4 kB durably: no commit can be faster. */
export const disk: Scenario = {
  name: 'disk',
  title: 'writing 4 kB so that they outlast a power cut',
  engines: [],
  async run({ workDir, count }) {
    const most = { writes: count(1000), ms: 10_000 };
    const overwritten = syncLatency(join(workDir, 'overwrite'), 'overwrite', most);
    const appended = syncLatency(join(workDir, 'append'), 'append', most);
    return Object.entries({ overwritten, appended }).flatMap(([how, summary]) => [
      { name: `4 kB ${how} + fdatasync, p50`, value: summary.p50, unit: 'ms', detail: { ...summary } },
      { name: `4 kB ${how} + fdatasync, p99`, value: summary.p99, unit: 'ms' },
    ]);
  },
};
