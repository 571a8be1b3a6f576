import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../storage/database.ts';
import type { EventRow } from '../storage/tables/events.ts';

export interface AlarmOptions<Due extends { readonly at: number }> {
  readonly database: Pick<Database, 'feed'>;
  readonly clock: Clock;
  /** What is due first, `at` milliseconds UTC, or already is; undefined when nothing waits for its time. */
  next(): Promise<Due | undefined>;
  /**
   * Does it, in one change that makes sure that it still has to be done: another process may have. What it has done is not
   * `next` any more. Rejects when it is to be tried again.
   */
  run(due: Due): Promise<void>;
  /** Whether after this event something may be due earlier. */
  sets(event: EventRow): boolean;
  onError(error: unknown): void;
}

export interface Alarm {
  /** Does what is due until nothing is; answers how much was looked at. For tests and commands. */
  runDue(): Promise<number>;
  /** Finishes what is in hand and begins nothing more. */
  stop(): Promise<void>;
}

/** A clock may be set, and a machine sleep: nothing waits longer than this for a look. */
const longestWaitMs = 60 * 1000;
const retryMs = 5000;

/**
 * Does things at their time. It sleeps until the next is due, and is woken by whatever sets a time, here or in another process.
 * Changes run one at a time: however many processes wake up, and wherever one is killed, each thing is done once.
 */
export async function startAlarm<Due extends { readonly at: number }>(options: AlarmOptions<Due>): Promise<Alarm> {
  const { database, clock, onError } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> = Promise.resolve(0);

  const sleep = async (atLeastMs: number): Promise<void> => {
    clearTimeout(timer);
    const next = await options.next();
    clearTimeout(timer);
    if (next === undefined || stopped) return;
    const wait = Math.min(Math.max(next.at - clock.now(), atLeastMs), longestWaitMs);
    timer = setTimeout(() => void runDue().catch(onError), wait);
  };
  const drain = async (): Promise<number> => {
    let ran = 0;
    let failed = false;
    while (!stopped && !failed) {
      const next = await options.next();
      if (next === undefined || next.at > clock.now()) break;
      try {
        await options.run(next);
        ran++;
      } catch (error) {
        onError(error);
        failed = true;
      }
    }
    await sleep(failed ? retryMs : 1);
    return ran;
  };
  const runDue = (): Promise<number> => {
    running = running.then(drain, drain);
    return running;
  };
  database.feed.subscribe(async (events) => {
    if (events.some((event) => options.sets(event))) await sleep(1);
  });
  await sleep(1);
  return {
    runDue,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      // A failure has been reported where it happened.
      await running.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}
