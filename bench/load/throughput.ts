import type { ClosedJob, LoadJob, LoadResult } from './job.ts';
import { generateLoad } from './spawn.ts';
import { assertAnswered } from './verdict.ts';

/** Above this share of a core, the figure may be that of the generator and not of the server. */
const strainedCpu = 0.95;

/**
 * Runs a load in a process of its own and returns its result. Throws when a request failed or had an unexpected status.
 * Calls `say` when the generator itself was at its limit.
 */
export async function measureLoad(
  job: LoadJob,
  statuses: readonly number[],
  say: (text: string) => void,
): Promise<LoadResult> {
  const result = await generateLoad(job);
  assertAnswered(result, statuses);
  warnIfStrained(result, say);
  return result;
}

/** Returns the answers per second of a closed loop; otherwise like {@link measureLoad}. */
export async function throughput(
  job: ClosedJob,
  statuses: readonly number[],
  say: (text: string) => void,
): Promise<number> {
  return (await measureLoad(job, statuses, say)).perSecond;
}

function warnIfStrained({ strain }: LoadResult, say: (text: string) => void): void {
  if (strain.cpu < strainedCpu) return;
  say(`the generator was busy ${Math.round(strain.cpu * 100)} % of a core: the figure may be its own`);
}
