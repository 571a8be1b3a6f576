import { aloneLatency } from '../latency.ts';
import type { Finding } from '../row.ts';
import type { ScenarioContext } from '../scenario.ts';
import { searchedCustomer } from '../seed/events.ts';
import type { RunningServer } from '../server.ts';

const search = '/api/admin/search/events';

/** Measures typical reads of a log with `events` events. */
export async function readEvents(
  context: ScenarioContext,
  server: RunningServer,
  adminToken: string,
  events: number,
): Promise<Finding[]> {
  const reads = [
    { name: `the last 100 of ${events} events`, path: '/api/admin/events', atMost: 5 },
    {
      name: `100 from the middle of them by cursor`,
      path: `/api/admin/events/feed?after=${Math.floor(events / 2)}`,
      atMost: 5,
    },
    { name: `text search among them, in one event`, path: `${search}?query=${searchedCustomer(events)}`, atMost: 50 },
    { name: `text search among them, in two of nine`, path: `${search}?query=flexibleRollout`, atMost: 50 },
    { name: `the same in a small project`, path: `${search}?query=flexibleRollout&project=IS:small`, atMost: 50 },
    { name: `text search among them, in none`, path: `${search}?query=customer-of-nobody`, atMost: 50 },
  ];
  const findings: Finding[] = [];
  for (const { name, path, atMost } of reads) {
    context.say(name);
    const request = { method: 'GET', path, headers: { authorization: adminToken } };
    const latency = await aloneLatency(context, server, request, { durationMs: 3000 });
    const must = { of: 'value', atMost } as const;
    findings.push({ name: `${name}, p99`, unit: 'ms', value: latency.p99, must, detail: { ...latency } });
  }
  return findings;
}
