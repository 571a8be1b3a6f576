import { z } from 'zod';
import type { Database } from '#storage/database.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { Db, Tx } from '#storage/tx.ts';

export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly payload: unknown;
  /** The number of failed attempts. */
  readonly attempts: number;
}

/** Accepts any JSON: each kind of job checks its own payload. */
const payloadColumn = jsonColumn('jobs.payload', z.unknown());

const firstPauseMs = 1000;
const longestPauseMs = 60 * 60 * 1000;

/** Returns whether a job of these kinds is due, without taking a lock. */
export async function isJobDue(db: Db, now: number, kinds: readonly string[]): Promise<boolean> {
  if (kinds.length === 0) return false;
  const due = db.selectFrom('jobs').select('id').where('run_at', '<=', now).where('kind', 'in', kinds);
  return (await due.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Returns the next due job of these kinds, locked until the transaction ends. Skips jobs that another process has
 * locked.
 */
export async function claimJob(
  tx: Tx,
  engine: Database['engine'],
  now: number,
  kinds: readonly string[],
): Promise<Job | undefined> {
  if (kinds.length === 0) return undefined;
  let query = tx.db
    .selectFrom('jobs')
    .select(['id', 'kind', 'payload', 'attempts'])
    .where('run_at', '<=', now)
    .where('kind', 'in', kinds)
    .orderBy('run_at')
    .orderBy('id')
    .limit(1);
  // SQLite has a single writer, so no lock is needed.
  if (engine === 'postgres') query = query.forUpdate().skipLocked();
  const row = await query.executeTakeFirst();
  return (
    row && { id: row.id, kind: row.kind, payload: payloadColumn.parse(row.payload, row.id), attempts: row.attempts }
  );
}

/** Deletes a finished job, or sets the time of its next run. */
export async function finishJob(tx: Tx, job: Job, again: number | undefined): Promise<void> {
  if (again === undefined) {
    await tx.db.deleteFrom('jobs').where('id', '=', job.id).execute();
    return;
  }
  await tx.db
    .updateTable('jobs')
    .set({ run_at: again, attempts: 0, last_error: null })
    .where('id', '=', job.id)
    .execute();
}

/** Schedules the retry of a failed job with exponential back-off: from one second to at most an hour. */
export async function postponeJob(tx: Tx, job: Job, now: number, error: unknown): Promise<void> {
  const pause = Math.min(firstPauseMs * 2 ** job.attempts, longestPauseMs);
  await tx.db
    .updateTable('jobs')
    .set({ run_at: now + pause, attempts: job.attempts + 1, last_error: String(error).slice(0, 1000) })
    .where('id', '=', job.id)
    .execute();
}
