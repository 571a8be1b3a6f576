import { join } from 'node:path';
import { compareThroughput } from '../compare.ts';
import { startFloor } from '../floors/start.ts';
import { createInstallation } from '../installation.ts';
import type { RequestTemplate } from '../load/request.ts';
import { measureLoad } from '../load/throughput.ts';
import { readMetric } from '../metrics.ts';
import type { Finding, Must } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import type { RunningServer } from '../server.ts';
import { alertOf, createSender } from './signal-sender.ts';

const connections = 64;

/** Compares signals, which are answered once they are durable, with the same route without storage. */
export const signals: Scenario = {
  name: 'signals',
  title: 'durable signals, against the same route without storage',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await using server = await installation.start({ SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '0' });
    await using floor = await startFloor('signal-route', { env: { YARDARM_DATA_DIR: join(context.workDir, 'floor') } });
    const send = await createSender(server, installation.adminToken);
    const sendToFloor = await createSender(floor, undefined);
    const compare = (name: string, payload: string, more: { must?: Must } = {}) =>
      compareThroughput(
        context,
        { name, unit: 'signals/s', connections, ...(more.must && { must: more.must }) },
        { name: 'without storage', server: floor, requests: [sendToFloor(payload)] },
        { server, requests: [send(payload)] },
      );
    const small = alertOf(1024);
    const most = await compare('signals of 1 kB', small, { must: { of: 'ratio', atLeast: 0.8 } });
    return [
      most,
      ...(await underHalf(context, server, send(small), most.value / 2)),
      await compare('signals of 100 kB', alertOf(100_000)),
    ];
  },
};

/** Measures the latency of signals and the delay of the event loop at half of the server's highest rate. */
async function underHalf(
  context: ScenarioContext,
  server: RunningServer,
  request: RequestTemplate,
  ratePerSecond: number,
): Promise<Finding[]> {
  context.say(`an open loop of ${Math.round(ratePerSecond)} signals/s`);
  const load = { kind: 'open', arrivals: 'poisson', warmupMs: context.ms(1000), durationMs: context.ms(8000) } as const;
  const job = { ...load, origin: server.origin, requests: [request], connections, ratePerSecond };
  // Reading the metric resets it, so that the second value is that of the load.
  await readMetric(server.origin, 'event_loop_delay_p99_seconds');
  const { latency, sendDelay, strain } = await measureLoad(job, [200], context.say);
  const delay = await readMetric(server.origin, 'event_loop_delay_p99_seconds');
  return [
    {
      name: 'signals of 1 kB at half that rate, p99',
      unit: 'ms',
      value: latency.p99,
      must: { of: 'value', atMost: 15 },
      detail: { ratePerSecond, latency, sendDelay, strain },
    },
    { name: 'event loop delay meanwhile, p99', unit: 'ms', value: delay * 1000, must: { of: 'value', atMost: 10 } },
  ];
}
