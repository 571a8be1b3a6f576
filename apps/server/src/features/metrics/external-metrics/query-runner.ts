import type { JobKind } from '#jobs/runner.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import type { MetricSource, Reading } from './source.ts';
import * as store from './store.ts';

/** The kind of the job that starts the runner. */
const jobKind = 'external-metrics';

const author: Author = { actor: systemActor, cause: {} };
/** The maximum number of concurrent queries of a process. */
const maxConcurrent = 8;
/** A query for a time longer ago than this is not sent, because the query for the next time has been stored. */
const expiresAfterMs = 150_000;
/** The delay after which the result of a stored query is read, in milliseconds. */
export const answerDelayMs = 2000;
const keptForMs = 10 * 60_000;

/** Sends the queries that changes have stored to the Prometheus server. */
export interface QueryRunner {
  /** Starts the runner. The job runs when a change has stored queries. */
  readonly job: JobKind;
  /** Resolves when no query waits. For tests. */
  idle(): Promise<void>;
  /** Aborts the requests that are running, and sends no more. */
  stop(): Promise<void>;
}

/**
 * Stores queries that are sent to the Prometheus server after the commit. A query that is stored several times is
 * sent once.
 */
export async function enqueueQueries(tx: Tx, queries: readonly store.InstantQuery[]): Promise<void> {
  if (queries.length === 0) return;
  await store.insertQueries(tx, queries);
  tx.enqueue({ kind: jobKind, uniqueKey: jobKind });
}

/**
 * Creates the runner. Queries run outside of transactions, and each result is stored separately, so a server that does
 * not answer delays only other queries. Without a `source`, the result of each query is that no server is set.
 */
export function createQueryRunner(
  database: Database,
  clock: Clock,
  source: MetricSource | undefined,
  onError: (error: unknown) => void,
): QueryRunner {
  const working = new Set<Promise<void>>();
  let mayBeMore = false;

  const read = async ({ promql, at }: store.InstantQuery): Promise<Reading> => {
    if (source === undefined) return { reason: 'No Prometheus server is set.' };
    if (at < clock.now() - expiresAfterMs) return { reason: 'The Prometheus server was not queried in time.' };
    return source.value(promql, at, loop.stopping);
  };
  const run = async (query: store.StoredQuery): Promise<void> => {
    const reading = await read(query);
    if (loop.stopping.aborted) return;
    await database.writeQuietly('impact metrics', author, (tx) => store.saveReading(tx, query.id, reading));
  };
  const take = async (): Promise<void> => {
    const free = maxConcurrent - working.size;
    if (free <= 0) return;
    const oldest = clock.now() - keptForMs;
    const queries = await database.writeQuietly('impact metrics', author, (tx) => store.takeQueries(tx, free, oldest));
    mayBeMore = queries.length === free;
    for (const query of queries) {
      const done = run(query).catch(onError);
      working.add(done);
      void done.then(() => {
        working.delete(done);
        if (mayBeMore) loop.wake();
      });
    }
  };
  // No retry: the next job, which the next change stores, takes all queries that wait.
  const loop = new Loop({ round: take, onError });
  loop.start();
  return {
    job: {
      kind: jobKind,
      run: async (tx) => {
        tx.afterCommit(() => loop.wake());
        return undefined;
      },
    },
    idle: async () => {
      do {
        await loop.settle();
        await Promise.all(working);
        await loop.settle();
      } while (working.size > 0);
    },
    stop: async () => {
      await loop.stop();
      await Promise.all(working);
    },
  };
}
