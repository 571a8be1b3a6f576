import { itemAt } from '#kernel/lists.ts';
import { prepared } from '../prepared-query.ts';
import type { NewJob, Tx } from '../tx.ts';

/**
 * Deletes the jobs with the unique keys `replaced`, then inserts jobs in one statement. A job whose unique key is
 * already queued is not inserted again.
 */
export async function insertJobs(tx: Tx, jobs: Jobs, replaced: readonly string[]): Promise<void> {
  if (replaced.length > 0) await remove(tx, { replaced });
  if (jobs.kinds.length > 0) await insert(tx, jobs);
}

/**
 * Returns the rows of jobs; a job without a time is due at `now`. Throws when a payload cannot be serialized as JSON.
 */
export function jobRows(jobs: readonly NewJob[], now: number): Jobs {
  return {
    kinds: jobs.map(({ kind }) => kind),
    payloads: jobs.map(({ payload }) => JSON.stringify(payload ?? null)),
    keys: jobs.map(({ uniqueKey }) => uniqueKey ?? null),
    times: jobs.map(({ runAt }) => runAt ?? now),
  };
}

type Jobs = {
  readonly kinds: readonly string[];
  readonly payloads: readonly string[];
  readonly keys: readonly (string | null)[];
  readonly times: readonly number[];
};

const remove = prepared<{ replaced: readonly string[] }>().change((db, { replaced }) =>
  db.deleteFrom('jobs').where('unique_key', 'in', replaced),
);

const insert = prepared<Jobs>().change((db, { kinds, payloads, keys, times }) =>
  db
    .insertInto('jobs')
    .values(
      kinds.map((kind, index) => ({
        kind,
        payload: itemAt(payloads, index),
        unique_key: itemAt(keys, index),
        run_at: itemAt(times, index),
        attempts: 0,
        last_error: null,
      })),
    )
    .onConflict((conflict) => conflict.column('unique_key').doNothing()),
);
