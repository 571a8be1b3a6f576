import { setTimeout as pause } from 'node:timers/promises';
import { createInstallation, type Installation } from '../installation.ts';
import type { RequestTemplate } from '../load/request.ts';
import { measureLoad } from '../load/throughput.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedEvents } from '../seed/events.ts';
import { seedFlags, seedProject } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';
import { everydayRequests } from './everyday-requests.ts';

const mb = 1e6;
/** Flags, and the size of the container in MiB that must hold them. */
const sizes = [
  { flags: 100, container: 256 },
  { flags: 1000, container: 256 },
  { flags: 10_000, container: 512 },
] as const;

/** The figures of the sizing table in docs/guides/operating.md. */
export const memory: Scenario = {
  name: 'memory',
  title: 'memory when idle and under everyday requests with ten searches of events at once, by number of flags',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const findings: Finding[] = [];
    for (const { flags, container } of sizes) {
      context.say(`${flags} flags`);
      await using installation = await createInstallation(context);
      await fillForMemory(context, installation, flags);
      await using server = await installation.start();
      await pause(context.ms(20_000));
      const idle = (await server.usage())?.rssBytes ?? Number.NaN;
      await everydayLoad(context, installation, server);
      const peak = (await server.usage())?.peakRssBytes ?? Number.NaN;
      findings.push(
        { name: `resident memory, idle with ${flags} flags`, unit: 'MB', value: idle / mb },
        {
          name: `most resident memory with ${flags} flags under load`,
          unit: 'MB',
          value: peak / mb,
          must: { of: 'value', atMost: Math.floor((container * 1024 * 1024) / mb) },
        },
      );
    }
    return findings;
  },
};

/** Adds the flags and 100,000 events. */
export async function fillForMemory(context: ScenarioContext, installation: Installation, flags: number) {
  await (await installation.start()).stop();
  await seedFlags(installation, { count: flags, project: 'default', prefix: 'flag-' });
  await seedProject(installation, 'small');
  await seedEvents(installation, { count: context.count(100_000), flags, smallProject: 'small' });
}

/** Sends everyday requests for half a minute, beside ten clients that each search the events again and again. */
export async function everydayLoad(context: ScenarioContext, installation: Installation, server: RunningServer) {
  const common = { origin: server.origin, durationMs: context.ms(30_000), warmupMs: 0 } as const;
  const search: RequestTemplate = {
    method: 'GET',
    path: '/api/admin/search/events?query=customer-{{n}}&limit=50',
    headers: { authorization: installation.adminToken },
  };
  await Promise.all([
    measureLoad(
      {
        ...common,
        kind: 'open',
        arrivals: 'poisson',
        requests: everydayRequests(installation),
        connections: 32,
        ratePerSecond: 100,
      },
      [200, 202],
      context.say,
    ),
    measureLoad({ ...common, kind: 'closed', requests: [search], connections: 10 }, [200], context.say),
  ]);
}
