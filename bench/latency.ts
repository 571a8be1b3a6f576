import type { LatencySummary } from './load/histogram.ts';
import type { RequestTemplate } from './load/request.ts';
import { measureLoad } from './load/throughput.ts';
import type { ScenarioContext } from './scenario.ts';
import type { RunningServer } from './server.ts';

/** Short, because some scenarios measure a hundred paths: a smoke run needs one answer, and the loop waits for that. */
const smokeMs = 50;

/**
 * Measures the latency of a single client that sends its next request after each answer, for the given milliseconds:
 * the time of the answer itself, without a queue.
 */
export async function aloneLatency(
  context: ScenarioContext,
  server: RunningServer,
  requests: RequestTemplate | readonly RequestTemplate[],
  { durationMs, status = 200 }: { readonly durationMs: number; readonly status?: number },
): Promise<LatencySummary> {
  const job = {
    kind: 'closed',
    origin: server.origin,
    requests: [requests].flat(),
    connections: 1,
    warmupMs: context.smoke ? 0 : 200,
    durationMs: context.smoke ? smokeMs : context.ms(durationMs),
  } as const;
  return (await measureLoad(job, [status], context.say)).latency;
}
