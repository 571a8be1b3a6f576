import { interleave } from './interleave.ts';
import type { ClosedJob } from './load/job.ts';
import type { RequestTemplate } from './load/request.ts';
import { measureLoad } from './load/throughput.ts';
import type { Finding, Must } from './row.ts';
import type { ScenarioContext } from './scenario.ts';
import type { RunningServer } from './server.ts';

/** A server and the requests to send to it. */
export interface Target {
  readonly server: RunningServer;
  readonly requests: readonly RequestTemplate[];
}

export interface Throughput {
  readonly name: string;
  readonly unit: string;
  readonly connections: number;
  /** The expected status of every answer; default 200. */
  readonly status?: number;
  readonly must?: Must;
}

/** Returns the settings of a closed loop: long enough to measure, or short and without a warm-up in a smoke run. */
export function closedLoad(
  { smoke, ms }: Pick<ScenarioContext, 'smoke' | 'ms'>,
  connections: number,
): Pick<ClosedJob, 'kind' | 'connections' | 'warmupMs' | 'durationMs'> {
  return { kind: 'closed', connections, warmupMs: smoke ? 0 : 300, durationMs: ms(1500) };
}

/**
 * Compares the answers per second of a server and its floor, in turns. `detail` adds the processor time per request,
 * which other work on the machine disturbs less than the throughput.
 */
export async function compareThroughput(
  context: ScenarioContext,
  { name, unit, connections, status = 200, must }: Throughput,
  floor: Target & { readonly name: string },
  subject: Target,
): Promise<Finding> {
  context.say(name);
  const load = closedLoad(context, connections);
  const costs = { floor: [] as number[], subject: [] as number[] };
  const measure =
    ({ server, requests }: Target, cost: number[]) =>
    async () => {
      const before = await server.usage();
      const job = { ...load, origin: server.origin, requests };
      const { perSecond, total } = await measureLoad(job, [status], context.say);
      const after = await server.usage();
      if (before && after) cost.push(Math.round(((after.cpuMs - before.cpuMs) * 1000) / total.answers));
      return perSecond;
    };
  const compared = await interleave(context.rounds, measure(floor, costs.floor), measure(subject, costs.subject));
  return {
    name,
    unit,
    value: compared.value,
    floor: { name: floor.name, value: compared.floor },
    ratio: compared.ratio,
    range: compared.range,
    ...(must && { must }),
    detail: { rounds: compared.rounds, cpuMicroseconds: costs },
  };
}
