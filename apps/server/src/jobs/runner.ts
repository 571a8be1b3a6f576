import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import type { Change, Tx } from '#storage/tx.ts';
import { claimJob, finishJob, isJobDue, type Job, postponeJob } from './queue.ts';

/** A kind of background work. */
export interface JobKind {
  readonly kind: string;
  /**
   * Runs one job inside the transaction that also marks it as done, so that its effect happens exactly once. Returns
   * the time of the next run in milliseconds UTC, or undefined when the job is finished.
   */
  run(tx: Tx, payload: unknown): Promise<number | undefined>;
  /** Whether the job is recurring: it is enqueued at the start, once for all processes. */
  readonly recurring?: boolean;
  /** Whether its jobs record events. Such jobs run as changes do: one at a time, also with the changes of requests. */
  readonly records?: boolean;
}

export interface Jobs {
  /** The kinds of the jobs that this process runs. */
  readonly kinds: readonly string[];
  /** Enqueues the recurring jobs and starts to process the queue. */
  start(): Promise<void>;
  /** Starts due jobs now. */
  wake(): void;
  /** Runs all due jobs; returns their number. For tests and commands. */
  runDue(): Promise<number>;
  /** Finishes the current job and stops. */
  stop(): Promise<void>;
}

const pollMs = 1000;
const author: Author = { actor: systemActor, cause: {} };

/** Creates the runner of the job queue. Several processes can share the queue; each job runs in one at a time. */
export function createJobs(
  database: Database,
  clock: Clock,
  kinds: readonly JobKind[],
  onError: (error: unknown) => void,
): Jobs {
  const quiet: Lane = {
    kinds: new Map(kinds.flatMap((kind) => (kind.records === true ? [] : [[kind.kind, kind]]))),
    write: (change) => database.writeQuietly('jobs', author, change),
  };
  const recording: Lane = {
    kinds: new Map(kinds.flatMap((kind) => (kind.records === true ? [[kind.kind, kind]] : []))),
    write: (change) =>
      database.write(author, (tx) => {
        tx.allowNoEvents('jobs');
        return change(tx);
      }),
  };
  const drain = async (): Promise<number> => {
    let ran = 0;
    for (let before = -1; before < ran; ) {
      before = ran;
      // In turn: a quiet job that is due again at once, such as a long retention, must not delay a safeguard.
      for (const lane of [quiet, recording])
        if (!loop.stopping.aborted && (await runOne(database, clock, lane, onError))) ran++;
    }
    return ran;
  };
  const loop = new Loop({ round: drain, onError, firstMs: 0, everyMs: pollMs });
  return {
    start: async () => {
      await database.writeQuietly('jobs', author, async (tx) => {
        for (const { kind, recurring } of kinds) if (recurring === true) tx.enqueue({ kind, uniqueKey: kind });
      });
      database.onEnqueue(() => loop.wake());
      loop.start();
    },
    kinds: kinds.map(({ kind }) => kind),
    wake: () => loop.wake(),
    runDue: async () => (await loop.run()) ?? 0,
    stop: () => loop.stop(),
  };
}

/** Kinds of jobs, and the write that their jobs run in. */
interface Lane {
  readonly kinds: ReadonlyMap<string, JobKind>;
  write(change: Change<void>): Promise<void>;
}

/** Runs one due job. Returns whether there was one. */
async function runOne(
  database: Database,
  clock: Clock,
  { kinds, write }: Lane,
  onError: (error: unknown) => void,
): Promise<boolean> {
  let claimed: Job | undefined;
  try {
    if (!(await isJobDue(database.db, clock.now(), [...kinds.keys()]))) return false;
    await write(async (tx) => {
      claimed = await claimJob(tx, database.engine, clock.now(), [...kinds.keys()]);
      if (claimed === undefined) return;
      const again = await kinds.get(claimed.kind)?.run(tx, claimed.payload);
      await finishJob(tx, claimed, again);
    });
  } catch (error) {
    onError(error);
    // No job was claimed, most likely because the database is down: the next poll tries again.
    if (claimed === undefined) return false;
    const failed = claimed;
    await database.writeQuietly('jobs', author, (tx) => postponeJob(tx, failed, clock.now(), error));
  }
  return claimed !== undefined;
}
