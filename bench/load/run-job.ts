import { runClosedLoop } from './closed-loop.ts';
import type { LoadJob, LoadResult } from './job.ts';
import { runOpenLoop } from './open-loop.ts';

/** Runs a job in this process. */
export function runJob(job: LoadJob): Promise<LoadResult> {
  return job.kind === 'closed' ? runClosedLoop(job) : runOpenLoop(job);
}
