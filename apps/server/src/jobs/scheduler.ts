import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';

export interface TaskSchedulerOptions<Due extends { readonly at: number }> {
  readonly database: Pick<Database, 'feed'>;
  readonly clock: Clock;
  /** Returns the next task by its time `at` (milliseconds UTC), which may be past; undefined when there is none. */
  next(): Promise<Due | undefined>;
  /**
   * Runs a task in one write that checks whether the task is still due: another process may have run it. Afterwards
   * `next` must not return it again. Rejects when the task is to be retried.
   */
  run(due: Due): Promise<void>;
  /** Returns whether a task may be due earlier after this event. */
  sets(event: EventRow): boolean;
  onError(error: unknown): void;
}

export interface TaskScheduler {
  /** Starts to wait for tasks. */
  start(): Promise<void>;
  /** Runs all due tasks; returns their number. For tests and commands. */
  runDue(): Promise<number>;
  /** Finishes the current task and stops. */
  stop(): Promise<void>;
}

/**
 * The longest sleep. It is short because a timer does not notice that the system time changed or the machine was
 * suspended.
 */
const longestWaitMs = 60 * 1000;
const retryMs = 5000;

/**
 * Runs tasks at their time. Sleeps until the next task is due, and wakes up for events that set the time of a task,
 * from this process or another. Writes run one at a time, so each task runs exactly once, even with several processes
 * or after a crash.
 */
export function createTaskScheduler<Due extends { readonly at: number }>(
  options: TaskSchedulerOptions<Due>,
): TaskScheduler {
  const { database, clock, onError } = options;
  const sleep = async (): Promise<void> => {
    const next = await options.next();
    if (next !== undefined) loop.wake(Math.min(Math.max(next.at - clock.now(), 1), longestWaitMs));
  };
  let ran = 0;
  const drain = async (): Promise<void> => {
    while (!loop.stopping.aborted) {
      const next = await options.next();
      if (next === undefined || next.at > clock.now()) break;
      await options.run(next);
      ran++;
    }
    await sleep();
  };
  // Also when the next task could not be read: without a retry, nothing would run it before the next event.
  const loop = new Loop({ round: drain, onError, retryMs });
  return {
    start: () => {
      loop.start();
      database.feed.subscribe({
        events: async (events) => {
          if (events.some((event) => options.sets(event))) await sleep();
        },
        reset: sleep,
      });
      return sleep();
    },
    runDue: async () => {
      const before = ran;
      await loop.run();
      return ran - before;
    },
    stop: () => loop.stop(),
  };
}
