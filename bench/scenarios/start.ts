import { setTimeout as pause } from 'node:timers/promises';
import { createInstallation, type Installation } from '../installation.ts';
import { median } from '../interleave.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';

/** Measures the time until a new installation serves, and its memory when idle. */
export const start: Scenario = {
  name: 'start',
  title: 'from the start of the process to ready, and memory when idle',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const readyAfter: number[] = [];
    let rssBytes = 0;
    for (let round = 0; round < context.rounds; round += 1) {
      await using installation = await createInstallation(context);
      const idle = await startAndIdle(context, installation);
      readyAfter.push(idle.readyAfterMs);
      rssBytes = Math.max(rssBytes, idle.rssBytes);
    }
    return startFindings('an empty database', readyAfter, rssBytes, 200);
  },
};

/** Starts and stops a server; returns the time to ready and the memory after some idle time. */
export async function startAndIdle(
  context: ScenarioContext,
  installation: Installation,
): Promise<{ readonly readyAfterMs: number; readonly rssBytes: number }> {
  await using server = await installation.start();
  // Some ten seconds after its start, a process releases the memory that only the start needed.
  await pause(context.ms(20_000));
  return { readyAfterMs: server.readyAfterMs, rssBytes: (await server.usage())?.rssBytes ?? Number.NaN };
}

/** Returns the findings of {@link startAndIdle}. The memory is that of the server process, without PostgreSQL. */
export function startFindings(
  on: string,
  readyAfterMs: readonly number[],
  rssBytes: number,
  mostMegabytes?: number,
): Finding[] {
  return [
    {
      name: `start to ready on ${on}`,
      unit: 'ms',
      value: median(readyAfterMs),
      must: { of: 'value', atMost: 2000 },
      detail: { readyAfterMs },
    },
    {
      name: `memory of the process, idle on ${on}`,
      unit: 'MB',
      value: rssBytes / 1e6,
      ...(mostMegabytes === undefined ? {} : { must: { of: 'value', atMost: mostMegabytes } }),
    },
  ];
}
