import { compiled, type Value } from './compiled.ts';
import type { NewJob, Tx } from './tx.ts';

/** Adds the jobs a change asked for. One whose key already waits is not added twice. A single statement. */
export async function insertJobs(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await insert(tx, {
    kinds: jobs.map(({ kind }) => kind),
    payloads: jobs.map(({ payload }) => JSON.stringify(payload ?? null)),
    keys: jobs.map(({ uniqueKey }) => uniqueKey ?? null),
    times: jobs.map(({ runAt }) => runAt ?? tx.now),
  });
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
