import type { NewJob, Tx } from './tx.ts';

/** Adds the jobs a change asked for. One whose key already waits is not added twice. */
export async function insertJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await tx.db
    .insertInto('jobs')
    .values(
      jobs.map((job) => ({
        kind: job.kind,
        payload: JSON.stringify(job.payload ?? null),
        unique_key: job.uniqueKey ?? null,
        run_at: job.runAt ?? tx.now,
        attempts: 0,
        last_error: null,
      })),
    )
    .onConflict((conflict) => conflict.column('unique_key').doNothing())
    .execute();
}
