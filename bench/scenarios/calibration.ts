import { setTimeout as pause } from 'node:timers/promises';
import { closedLoad, compareThroughput } from '../compare.ts';
import { startFloor } from '../floors/start.ts';
import { LatencyHistogram } from '../load/histogram.ts';
import { throughput } from '../load/throughput.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';

const connections = 64;

/** Measures bare servers and timers on this machine: figures that all other figures are compared with. */
export const calibration: Scenario = {
  name: 'calibration',
  title: 'what bare servers and timers do on this machine',
  engines: [],
  async run(context) {
    return [...(await bareServers(context)), await timer(context)];
  },
};

async function bareServers(context: ScenarioContext): Promise<Finding[]> {
  await using echo = await startFloor('node-echo');
  await using signal = await startFloor('fastify-signal');
  await using bytes = await startFloor('fastify-bytes', { args: ['--size', '1024'] });
  const get = { method: 'GET', path: '/' };
  const headers = { 'content-type': 'application/json' };
  const post = { method: 'POST', path: '/api/signal-endpoint/bench', headers, body: JSON.stringify('x'.repeat(1022)) };
  const unit = 'requests/s';
  const job = { ...closedLoad(context, connections), origin: echo.origin, requests: [post] };
  return [
    { name: 'node:http echo, POST 1 kB', unit, value: await throughput(job, [200], context.say) },
    await compareThroughput(
      context,
      { name: 'bare Fastify, POST 1 kB parsed', unit, connections },
      { name: 'node:http echo', server: echo, requests: [post] },
      { server: signal, requests: [post] },
    ),
    await compareThroughput(
      context,
      { name: 'bare Fastify, GET 1 kB', unit, connections },
      { name: 'node:http echo', server: echo, requests: [get] },
      { server: bytes, requests: [get] },
    ),
  ];
}

/** Measures how late a timer of 1 ms fires: an open loop cannot measure shorter delays. */
async function timer(context: ScenarioContext): Promise<Finding> {
  const lateness = new LatencyHistogram();
  for (let round = 0; round < context.count(500); round += 1) {
    const before = performance.now();
    await pause(1);
    lateness.record(Math.max(0, performance.now() - before - 1));
  }
  const detail = lateness.summary();
  return { name: 'timer of 1 ms, lateness p99', value: detail.p99, unit: 'ms', detail: { ...detail } };
}
