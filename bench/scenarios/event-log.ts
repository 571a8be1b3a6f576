import { createInstallation } from '../installation.ts';
import { aloneLatency } from '../latency.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedEvents } from '../seed/events.ts';
import { seedProject } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';
import { openAnswer } from '../slow-reader.ts';
import { streamEvents } from './event-stream.ts';

const slowReaders = 20;
const mb = 1e6;

/** Measures reading a long event log as one answer: time to the first byte, memory, and other requests meanwhile. */
export const eventLog: Scenario = {
  name: 'event-log',
  title: 'reading a log of 50,000 events as one answer',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedProject(installation, 'small');
    await seedEvents(installation, { count: context.smoke ? 3000 : 50_000, flags: 5000, smallProject: 'small' });
    await using server = await installation.start();
    return [
      ...(await streamEvents(context, server, installation.adminToken)),
      ...(await besideSlowReaders(context, server, installation.adminToken)),
    ];
  },
};

/** Measures short requests while readers of the whole log take a little of their answers from time to time. */
async function besideSlowReaders(
  context: ScenarioContext,
  server: RunningServer,
  adminToken: string,
): Promise<Finding[]> {
  context.say(`beside ${slowReaders} slow readers`);
  const rss = async () => (await server.usage())?.rssBytes ?? Number.NaN;
  const before = await rss();
  using readers = new DisposableStack();
  for (let n = 0; n < slowReaders; n += 1) {
    const answer = readers.use(await openAnswer(`${server.origin}/api/admin/events?project=default`, adminToken));
    await answer.bytesAfter(1);
  }
  const request = { method: 'GET', path: '/api/admin/events?limit=10', headers: { authorization: adminToken } };
  const latency = await aloneLatency(context, server, request, { durationMs: 3000 });
  return [
    {
      name: `the last 10 events beside ${slowReaders} slow readers, p99`,
      unit: 'ms',
      value: latency.p99,
      must: { of: 'value', atMost: 50 },
      detail: { ...latency },
    },
    {
      name: 'memory for each slow reader',
      unit: 'MB',
      value: ((await rss()) - before) / mb / slowReaders,
      must: { of: 'value', atMost: 4 },
    },
  ];
}
