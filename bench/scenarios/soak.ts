import { setTimeout as pause } from 'node:timers/promises';
import { createInstallation } from '../installation.ts';
import { measureLoad } from '../load/throughput.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';
import { everydayRequests } from './everyday-requests.ts';

const flags = 1000;
const mb = 1e6;
const minute = 60_000;
const sampleMs = 2000;

/** Ten minutes of everyday load: memory stays flat, and /health is answered throughout. */
export const soak: Scenario = {
  name: 'soak',
  title: 'ten minutes of reports, polls, changes and searches at 1,000 flags',
  engines: ['sqlite', 'postgres'],
  run: (context) => runFor(context, context.ms(10 * minute)),
};

/** An hour of the same load. */
export const soakHour: Scenario = {
  name: 'soak-hour',
  title: 'an hour of reports, polls, changes and searches at 1,000 flags',
  engines: ['sqlite', 'postgres'],
  onlyByName: true,
  run: (context) => runFor(context, context.ms(60 * minute)),
};

/** Sends everyday requests, 100 a second, and samples the server's memory every two seconds. */
async function runFor(context: ScenarioContext, durationMs: number): Promise<Finding[]> {
  await using installation = await createInstallation(context);
  await (await installation.start()).stop();
  await seedFlags(installation, { count: flags, project: 'default', prefix: 'flag-' });
  await using server = await installation.start();
  const common = { kind: 'open', origin: server.origin, warmupMs: 0, durationMs } as const;
  // The load can fail at the end of the hour: the memory is worth an hour too.
  const memory = sampleMemory(server, durationMs).then((samples) => {
    const findings = memoryFindings(durationMs, samples);
    for (const { name, value, floor } of findings)
      context.say(
        `${name}: ${Math.round(value)} MB${floor === undefined ? '' : `, ${Math.round(floor.value)} MB ${floor.name}`}`,
      );
    return findings;
  });
  const [load, health] = await Promise.all([
    measureLoad(
      {
        ...common,
        arrivals: 'poisson',
        requests: everydayRequests(installation),
        connections: 32,
        ratePerSecond: 100,
      },
      [200, 202],
      context.say,
    ),
    measureLoad(
      {
        ...common,
        // As a load balancer asks. At random, the moment of a smoke run can pass without a request.
        arrivals: 'constant',
        requests: [{ method: 'GET', path: '/health' }],
        connections: 2,
        ratePerSecond: 10,
      },
      [200],
      context.say,
    ),
  ]);
  return [
    ...(await memory),
    {
      name: '/health beside the load, p99',
      unit: 'ms',
      value: health.latency.p99,
      must: { of: 'value', atMost: 200 },
      detail: { health: health.latency, load: load.latency, answers: load.answers },
    },
  ];
}

async function sampleMemory(server: RunningServer, durationMs: number): Promise<number[]> {
  const samples: number[] = [];
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    samples.push(((await server.usage())?.rssBytes ?? Number.NaN) / mb);
    await pause(Math.min(sampleMs, durationMs / 10));
  }
  return samples;
}

/** Leaves out the first fifth of the time, in which caches are filled and code is compiled. */
function memoryFindings(durationMs: number, samples: readonly number[]): Finding[] {
  const fifth = Math.floor(samples.length / 5);
  const [early, late] = [median(samples.slice(fifth, 2 * fifth)), median(samples.slice(-fifth))];
  return [
    {
      name: `resident memory in the last fifth of ${Math.round(durationMs / 1000)} s`,
      unit: 'MB',
      value: late,
      floor: { name: 'in the second fifth', value: early },
      must: { of: 'ratio', atMost: 1.1 },
      detail: { samples },
    },
    { name: 'most resident memory in that time', unit: 'MB', value: Math.max(...samples) },
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
