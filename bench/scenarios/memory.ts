import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { compileServer, createInstallation, type Installation } from '../installation.ts';
import type { RequestTemplate } from '../load/request.ts';
import { measureLoad } from '../load/throughput.ts';
import { limitMemory } from '../memory-limit.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedEvents } from '../seed/events.ts';
import { seedFlags, seedProject } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';
import { everydayRequests } from './everyday-requests.ts';

const mb = 1e6;
/** Settings of glibc, as the image and the unit of systemd have them. */
const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '2097152' };
const sizes = [
  { flags: 100, containerMib: 256 },
  { flags: 1000, containerMib: 256 },
  { flags: 10_000, containerMib: 512 },
] as const;

/**
 * The compiled server in containers of 256 and 512 MiB: it stays up and answers. A process that is killed for its
 * memory fails the scenario. V8 sizes its heap by the container, so figures without a limit would be higher and say
 * nothing.
 */
export const memory: Scenario = {
  name: 'memory',
  title: 'memory in a container, idle and under everyday requests with ten searches of 100,000 events at once',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const findings: Finding[] = [];
    compileServer();
    // The same code runs for all sizes, so a smoke run needs only the smallest.
    for (const { flags, containerMib } of context.smoke ? sizes.slice(0, 1) : sizes) {
      context.say(`${flags} flags in ${containerMib} MiB`);
      findings.push(...(await measureContainer(context, flags, containerMib)));
    }
    return findings;
  },
};

async function measureContainer(context: ScenarioContext, flags: number, containerMib: number): Promise<Finding[]> {
  const containerBytes = containerMib * 1024 * 1024;
  await using installation = await createInstallation(context);
  await fill(context, installation, flags);
  await using limit = await limitMemory(`yardarm-bench-${randomBytes(6).toString('hex')}`, containerBytes);
  await using server = await installation.start(malloc, limit);
  await pause(context.ms(20_000));
  const idle = await server.usage();
  const searched = await sendLoad(context, installation, server);
  const where = `${flags} flags in ${containerMib} MiB`;
  return [
    { name: `resident memory when idle, ${where}`, unit: 'MB', value: (idle?.rssBytes ?? Number.NaN) / mb },
    {
      name: `most memory charged to the container under load, ${where}`,
      unit: 'MB',
      value: (await limit.peakBytes()) / mb,
      must: { of: 'value', atMost: containerBytes / mb },
    },
    {
      name: `event searches, ten at once, p99, ${where}`,
      unit: 'ms',
      value: searched.latency.p99,
      detail: { searched },
    },
  ];
}

async function fill(context: ScenarioContext, installation: Installation, flags: number) {
  await (await installation.start()).stop();
  await seedFlags(installation, { count: flags, project: 'default', prefix: 'flag-' });
  await seedProject(installation, 'small');
  await seedEvents(installation, { count: context.smoke ? 1000 : 100_000, flags, smallProject: 'small' });
}

/** Sends everyday requests for half a minute, beside ten clients that each search the events again and again. */
async function sendLoad(context: ScenarioContext, installation: Installation, server: RunningServer) {
  const common = { origin: server.origin, durationMs: context.ms(30_000), warmupMs: 0 } as const;
  const requests = everydayRequests(installation);
  const search: RequestTemplate = {
    method: 'GET',
    path: '/api/admin/search/events?query=customer-{{n}}&limit=50',
    headers: { authorization: installation.adminToken },
  };
  const everyday = {
    ...common,
    kind: 'open',
    arrivals: 'poisson',
    requests,
    connections: 32,
    ratePerSecond: 100,
  } as const;
  const searching = { ...common, kind: 'closed', requests: [search], connections: 10 } as const;
  const [, searched] = await Promise.all([
    measureLoad(everyday, [200, 202], context.say),
    measureLoad(searching, [200, 503], context.say),
  ]);
  return searched;
}
