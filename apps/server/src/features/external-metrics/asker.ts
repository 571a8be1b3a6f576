import type { JobKind } from '../../jobs/runner.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';
import type { MetricSource, Reading } from './source.ts';
import * as store from './store.ts';

/** The kind of the job that starts to ask. */
const askKind = 'external-metrics';

const author: Author = { actor: systemActor, cause: {} };
/** The most questions that a process asks at a time. */
const maxConcurrent = 8;
/** A question about a time longer ago than this is not sent: the next question has been stored. */
const expiresAfterMs = 150_000;
/** How long to wait for the answer to a question until it is looked for. */
export const answerDelayMs = 2000;
const keptForMs = 10 * 60_000;

/** Asks a Prometheus server the questions that changes have stored. */
export interface Asker {
  /** Starts to ask. It runs when a change has stored questions. */
  readonly job: JobKind;
  /** Resolves when no question waits. For tests. */
  idle(): Promise<void>;
  /** Aborts the requests that are running, and sends no more. */
  stop(): Promise<void>;
}

/**
 * Stores questions that are sent to the Prometheus server after the commit. A question that is stored several times is
 * sent once.
 */
export async function enqueueQuestions(tx: Tx, questions: readonly store.Question[]): Promise<void> {
  if (questions.length === 0) return;
  await store.insertQuestions(tx, questions);
  tx.enqueue({ kind: askKind, uniqueKey: askKind });
}

/**
 * Creates the part that asks. Requests are made outside of transactions, and their results stored each for itself, so a
 * server that hangs holds up nothing but the questions behind it. Without a `source`, the answer is that none is set.
 */
export function createAsker(
  database: Database,
  clock: Clock,
  source: MetricSource | undefined,
  onError: (error: unknown) => void,
): Asker {
  const working = new Set<Promise<void>>();
  let taking: Promise<void> = Promise.resolve();
  const stop = new AbortController();
  let mayBeMore = false;

  const read = async ({ promql, at }: store.Question): Promise<Reading> => {
    if (source === undefined) return { reason: 'No Prometheus server is set.' };
    if (at < clock.now() - expiresAfterMs) return { reason: 'The Prometheus server was not asked in time.' };
    return source.value(promql, at, stop.signal);
  };
  const ask = async (question: store.Asked): Promise<void> => {
    const reading = await read(question);
    if (stop.signal.aborted) return;
    await database.writeQuietly('impact metrics', author, (tx) => store.saveReading(tx, question.id, reading));
  };
  const take = async (): Promise<void> => {
    const free = maxConcurrent - working.size;
    if (stop.signal.aborted || free <= 0) return;
    const oldest = clock.now() - keptForMs;
    const questions = await database.writeQuietly('impact metrics', author, (tx) =>
      store.takeQuestions(tx, free, oldest),
    );
    mayBeMore = questions.length === free;
    for (const question of questions) {
      const done = ask(question).catch(onError);
      working.add(done);
      void done.then(() => {
        working.delete(done);
        if (mayBeMore) wake();
      });
    }
  };
  const wake = (): void => {
    taking = taking.then(take).catch(onError);
  };
  return {
    job: {
      kind: askKind,
      run: async (tx) => {
        tx.afterCommit(wake);
        return undefined;
      },
    },
    idle: async () => {
      do {
        await taking;
        await Promise.all(working);
        await taking;
      } while (working.size > 0);
    },
    stop: async () => {
      stop.abort();
      await taking;
      await Promise.all(working);
    },
  };
}
