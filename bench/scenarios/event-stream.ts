import { setTimeout as pause } from 'node:timers/promises';
import { LatencyHistogram } from '../load/histogram.ts';
import type { Finding } from '../row.ts';
import type { ScenarioContext } from '../scenario.ts';
import type { RunningServer } from '../server.ts';
import { openAnswer } from '../slow-reader.ts';

/** More bytes than the head of the answer has, and fewer than the head and the first event have together. */
const headAndEventBytes = 300;
const mb = 1e6;

/**
 * Reads all events of a project as one answer: measures the time to the first byte, and the memory with a slow reader.
 */
export async function streamEvents(
  context: ScenarioContext,
  server: RunningServer,
  adminToken: string,
): Promise<Finding[]> {
  context.say('all events of a project');
  const url = (project: string) => `${server.origin}/api/admin/events?project=${project}`;
  const first = { byte: new LatencyHistogram(), event: new LatencyHistogram() };
  for (let n = 0; n < context.count(100); n += 1) {
    using answer = await openAnswer(url('small'), adminToken);
    first.byte.record(await answer.bytesAfter(1));
    first.event.record(await answer.bytesAfter(headAndEventBytes));
  }
  const whole = await readWhole(context, url('small'), adminToken);
  return [
    {
      name: 'all events of a small project, first byte, p99',
      unit: 'ms',
      value: first.byte.summary().p99,
      must: { of: 'value', atMost: 10 },
      detail: { ...first.byte.summary() },
    },
    { name: 'the same, first event, p99', unit: 'ms', value: first.event.summary().p99 },
    { name: 'the same, whole', unit: 'ms', value: whole.ms, detail: whole },
    await memory(context, server, url('default'), adminToken),
  ];
}

async function readWhole(context: ScenarioContext, url: string, adminToken: string) {
  const startedAt = performance.now();
  using answer = await openAnswer(url, adminToken);
  const { bytes, ended } = await answer.read(context.smoke ? 5000 : 30_000);
  if (!ended) throw new Error(`${url} was not answered completely in time: ${bytes} bytes arrived`);
  return { ms: performance.now() - startedAt, bytes };
}

/** Reads slowly, in small parts with pauses, then as fast as possible, and watches the server's memory. */
async function memory(
  context: ScenarioContext,
  server: RunningServer,
  url: string,
  adminToken: string,
): Promise<Finding> {
  const rss = async () => (await server.usage())?.rssBytes ?? Number.NaN;
  const before = await rss();
  const samples: { readonly bytesRead: number; readonly rssBytes: number }[] = [];
  using answer = await openAnswer(url, adminToken);
  let bytesRead = 0;
  for (const { readMs, pauseMs } of [
    ...Array.from({ length: context.count(20) }, () => ({ readMs: 5, pauseMs: 200 })),
    ...Array.from({ length: context.count(40) }, () => ({ readMs: 200, pauseMs: 0 })),
  ]) {
    const { bytes, ended } = await answer.read(readMs);
    bytesRead += bytes;
    await pause(context.ms(pauseMs));
    samples.push({ bytesRead, rssBytes: await rss() });
    if (ended) break;
  }
  const most = Math.max(...samples.map((sample) => sample.rssBytes));
  return {
    name: `memory that reading ${Math.round(bytesRead / mb)} MB of events takes, first slowly, then quickly`,
    unit: 'MB',
    value: (most - before) / mb,
    must: { of: 'value', atMost: 64 },
    detail: { before, samples },
  };
}
