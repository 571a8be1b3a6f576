import { startFloor } from '../floors/start.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { createRawClient } from '../raw-client.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedEvents } from '../seed/events.ts';
import { seedFlags, seedProject } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';
import { openAnswer } from '../slow-reader.ts';
import { type Change, changeOften, switching } from '../streams/changes.ts';
import { openReaders } from '../streams/readers.ts';

const feed = '/api/admin/events/feed';
const many = 1000;
const mb = 1e6;

/** Measures how soon readers of the event feed have a new event, and how fast one reader gets a long log. */
export const eventFeed: Scenario = {
  name: 'event-feed',
  title: `an event, until it has reached one reader of the feed, and each of ${many}; a replay of the log`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: 10, project: 'default', prefix: 'flag-' });
    await seedProject(installation, 'small');
    await seedEvents(installation, { count: context.smoke ? 3000 : 200_000, flags: 5000, smallProject: 'small' });
    await using server = await installation.start({ YARDARM_CONNECTIONS_PER_ADDRESS_LIMIT: '0' });
    using admin = createRawClient(server.origin, { authorization: installation.adminToken });
    const change = switching(admin, 'flag-1', 'development');
    return [
      await reach(context, installation, server, change, { count: 1, times: 200, atMost: 5 }),
      await reach(context, installation, server, change, { count: many, times: 20, atMost: 30 }),
      ...(await replay(context, installation, server)),
    ];
  },
};

async function reach(
  context: ScenarioContext,
  { adminToken }: Installation,
  server: RunningServer,
  change: Change,
  { count: full, times, atMost }: { readonly count: number; readonly times: number; readonly atMost: number },
): Promise<Finding> {
  const count = context.count(full);
  context.say(`${count} readers`);
  await using readers = await openReaders({
    origin: server.origin,
    path: `${feed}?after=newest`,
    authorization: adminToken,
    count,
    opening: 'text/event-stream',
    change: '\ndata: ',
  });
  const { answered, last } = await changeOften(context.count(times), change, readers);
  return {
    name: `event committed until read by ${full === 1 ? 'one reader' : `each of ${full} readers`}, p99`,
    unit: 'ms',
    value: answered.summary().p99,
    must: { of: 'value', atMost },
    detail: { ...answered.summary(), last: last.summary() },
  };
}

/** Reads the whole log by one reader, and the same number of bytes from node:http alone, in turns. */
async function replay(context: ScenarioContext, { adminToken }: Installation, server: RunningServer) {
  context.say('replay');
  await using floor = await startFloor('node-replay');
  const before = (await server.usage())?.rssBytes ?? Number.NaN;
  /** The most memory of each round. */
  const most: number[] = [];
  const rates: { readonly ours: number; readonly floor: number; readonly bytes: number }[] = [];
  for (let round = 0; round < context.rounds; round += 1) {
    let mostOfRound = 0;
    const { bytes, rate } = await rateOf(`${server.origin}${feed}`, adminToken, async () => {
      mostOfRound = Math.max(mostOfRound, (await server.usage())?.rssBytes ?? 0);
    });
    most.push(mostOfRound);
    const { rate: floorRate } = await rateOf(`${floor.origin}/${bytes}`, adminToken);
    rates.push({ ours: rate, floor: floorRate, bytes });
  }
  const middle = rates.toSorted((a, b) => a.ours / a.floor - b.ours / b.floor)[Math.floor(rates.length / 2)];
  if (middle === undefined) throw new Error('the replay needs at least one round');
  const findings: Finding[] = [
    {
      name: `replay of ${Math.round(middle.bytes / mb)} MB of events to one reader`,
      unit: 'MB/s',
      value: middle.ours / mb,
      floor: { name: 'node:http sending as many bytes', value: middle.floor / mb },
      must: { of: 'ratio', atLeast: 0.5 },
      detail: { rates },
    },
    {
      name: 'memory after the last replay, to that after the first',
      unit: 'x',
      value: (most.at(-1) ?? Number.NaN) / (most[0] ?? Number.NaN),
      must: { of: 'value', atMost: 1.1 },
      detail: { before, most },
    },
  ];
  return findings;
}

/** Reads an answer to its end. Returns its size, and the bytes per second. */
async function rateOf(url: string, authorization: string, sample?: () => Promise<void>) {
  const startedAt = performance.now();
  using answer = await openAnswer(url, authorization, { accept: 'application/x-ndjson' });
  let bytes = 0;
  for (;;) {
    const part = await answer.read(200);
    bytes += part.bytes;
    await sample?.();
    if (part.ended) return { bytes, rate: (bytes * 1000) / (performance.now() - startedAt) };
  }
}
