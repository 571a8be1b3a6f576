import { compiled, type Value } from './compiled.ts';
import type { NewJob, Tx } from './tx.ts';

/** Adds the jobs a change asked for. One whose key already waits is not added twice. A single statement. */
export async function insertJobs(tx: Tx, jobs: Jobs): Promise<void> {
  if (jobs.kinds.length > 0) await insert(tx, jobs);
}

/** What is written of jobs; those without a time of their own are due at `now`. Throws when a payload cannot be JSON. */
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

const insert = compiled<Jobs>().change(
  (db, { kinds, payloads, keys, times }) =>
    db
      .insertInto('jobs')
      .values(
        kinds.map((kind, index) => ({
          kind,
          payload: payloads[index] as Value<string>,
          unique_key: keys[index] as Value<string | null>,
          run_at: times[index] as Value<number>,
          attempts: 0,
          last_error: null,
        })),
      )
      .onConflict((conflict) => conflict.column('unique_key').doNothing()),
  () => 'sums',
);
