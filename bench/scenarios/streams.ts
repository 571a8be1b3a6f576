import { createInstallation, type Installation } from '../installation.ts';
import { createRawClient } from '../raw-client.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';
import { type Change, changeOften, switching } from '../streams/changes.ts';
import { openReaders, type Readers } from '../streams/readers.ts';

const environment = 'development';
const flag = 'flag-99';
/** Selects one flag: the first answer of a stream is not measured, so it has to be small. */
const path = `/api/client/streaming?namePrefix=${flag}`;
const many = 5000;

/** Measures how soon a switched flag reaches SDKs that hold streams open: one stream, and thousands. */
export const streams: Scenario = {
  name: 'streams',
  title: `a flag switched, until it has reached one open stream, and each of ${many}`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: 1000, project: 'default', prefix: 'flag-' });
    // The limit is off: all streams and the client that switches the flag have one address.
    await using server = await installation.start({ YARDARM_CONNECTIONS_PER_ADDRESS_LIMIT: '0' });
    using admin = createRawClient(server.origin, { authorization: installation.adminToken });
    const change = switching(admin, flag, environment);
    return [
      await reachOne(context, installation, server, change),
      ...(await reachAll(context, installation, server, change)),
    ];
  },
};

async function reachOne(
  context: ScenarioContext,
  installation: Installation,
  server: RunningServer,
  change: Change,
): Promise<Finding> {
  context.say('one stream');
  await using readers = await open(installation, server, 1);
  const { answered } = await changeOften(context.count(200), change, readers);
  const detail = answered.summary();
  return {
    name: 'flag switched until on an open stream, after the answer, p99',
    unit: 'ms',
    value: detail.p99,
    must: { of: 'value', atMost: 100 },
    detail: { ...detail },
  };
}

async function reachAll(
  context: ScenarioContext,
  installation: Installation,
  server: RunningServer,
  change: Change,
): Promise<Finding[]> {
  const count = context.count(many);
  context.say(`${count} streams`);
  const before = (await server.usage())?.rssBytes ?? Number.NaN;
  await using readers = await open(installation, server, count);
  const after = (await server.usage())?.rssBytes ?? Number.NaN;
  const times = context.count(20);
  const cpuBefore = (await server.usage())?.cpuMs ?? Number.NaN;
  const { answered, last } = await changeOften(times, change, readers);
  const cpuMs = ((await server.usage())?.cpuMs ?? Number.NaN) - cpuBefore;
  return [
    {
      name: `the same, ${count} open streams, any of them, p99`,
      unit: 'ms',
      value: answered.summary().p99,
      detail: { ...answered.summary() },
    },
    { name: 'the same, the last of them, p50', unit: 'ms', value: last.summary().p50, detail: { ...last.summary() } },
    {
      name: 'processor time for each message to a stream',
      unit: 'µs',
      value: (cpuMs * 1000) / (count * times),
      detail: { cpuMs, messages: count * times },
    },
    { name: 'memory for each stream', unit: 'kB', value: (after - before) / count / 1000, detail: { before, after } },
  ];
}

function open(installation: Installation, server: RunningServer, count: number): Promise<Readers> {
  return openReaders({
    origin: server.origin,
    path,
    authorization: installation.backendToken,
    count,
    opening: 'event: unleash-connected\n',
    change: 'event: unleash-updated\n',
  });
}
