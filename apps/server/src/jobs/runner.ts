import { type Author, systemActor } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../storage/database.ts';
import type { Tx } from '../storage/tx.ts';
import { claimJob, finishJob, isJobDue, type Job, postponeJob } from './queue.ts';

/** A kind of background work. */
export interface JobKind {
  readonly kind: string;
  /**
   * Does the work of one job inside the transaction that also marks it done, so its effect happens exactly
   * once. Answers when to run again, in milliseconds UTC, or nothing when it is done for good.
   */
  run(tx: Tx, payload: unknown): Promise<number | undefined>;
  /** For work that is always there: it is put in the queue at start, once for all processes. */
  readonly recurring?: boolean;
}

export interface Jobs {
  /** Looks for due work now. */
  wake(): void;
  /** Runs what is due until nothing is; answers how many jobs ran. For tests and commands. */
  runDue(): Promise<number>;
  /** Finishes the job in hand and takes no more. */
  stop(): Promise<void>;
}

const pollMs = 1000;
const author: Author = { actor: systemActor, cause: {} };

/** Begins to work on the queue. Any number of processes share it; each job is run by one of them at a time. */
export async function startJobs(
  database: Database,
  clock: Clock,
  kinds: readonly JobKind[],
  onError: (error: unknown) => void,
): Promise<Jobs> {
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind]));
  await database.writeQuietly('jobs', author, async (tx) => {
    for (const { kind, recurring } of kinds) if (recurring === true) tx.enqueue({ kind, uniqueKey: kind });
  });
  let stopped = false;
  let running: Promise<number> = Promise.resolve(0);

  const drain = async (): Promise<number> => {
    let ran = 0;
    while (!stopped && (await runOne(database, clock, byKind, onError))) ran++;
    return ran;
  };
  const runDue = (): Promise<number> => {
    running = running.then(drain, drain);
    return running;
  };
  const wake = (): void => {
    runDue().catch(onError);
  };
  database.onEnqueue(wake);
  const poll = setInterval(wake, pollMs);
  wake();
  return {
    wake,
    runDue,
    stop: async () => {
      stopped = true;
      clearInterval(poll);
      // A failure has been reported where it happened.
      await running.catch(() => undefined);
    },
  };
}

/** Runs one due job; answers whether there was one. */
async function runOne(
  database: Database,
  clock: Clock,
  kinds: ReadonlyMap<string, JobKind>,
  onError: (error: unknown) => void,
): Promise<boolean> {
  let claimed: Job | undefined;
  try {
    if (!(await isJobDue(database.db, clock.now()))) return false;
    await database.writeQuietly('jobs', author, async (tx) => {
      claimed = await claimJob(tx, database.engine, clock.now(), [...kinds.keys()]);
      if (claimed === undefined) return;
      const again = await kinds.get(claimed.kind)?.run(tx, claimed.payload);
      await finishJob(tx, claimed, again);
    });
  } catch (error) {
    onError(error);
    // Without a claim the database is away: the next poll tries again.
    if (claimed === undefined) return false;
    const failed = claimed;
    await database.writeQuietly('jobs', author, (tx) => postponeJob(tx, failed, clock.now(), error));
  }
  return claimed !== undefined;
}
