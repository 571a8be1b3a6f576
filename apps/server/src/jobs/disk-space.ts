import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#storage/database.ts';

export interface DiskSpace {
  /** Starts to reclaim every minute. */
  start(): void;
  /** Reclaims all free space now; returns the number of steps. For tests. */
  runDue(): Promise<number>;
  /** Finishes the current step and stops. */
  stop(): Promise<void>;
}

const checkEveryMs = 60_000;
/** The target duration of a step. Writes wait for a step to finish. */
const stepMs = 20;
const firstPages = 16;
const mostPages = 2048;

/**
 * Returns the space of deleted rows to the operating system (incremental vacuum), in short steps. Pauses after each
 * step for as long as the step took, so that writes can run in between.
 */
export function createDiskSpace(database: Pick<Database, 'reclaim'>, onError: (error: unknown) => void): DiskSpace {
  const stopping = new AbortController();
  let pages = firstPages;
  let running: Promise<number> = Promise.resolve(0);
  const step = async (): Promise<number> => {
    const begun = performance.now();
    const left = await database.reclaim(pages);
    const took = performance.now() - begun;
    if (took > stepMs) pages = Math.max(firstPages, pages >> 1);
    else if (took < stepMs / 2) pages = Math.min(mostPages, pages << 1);
    // stop() ends the pause early.
    if (left > 0) await pause(took, undefined, { signal: stopping.signal }).catch(() => undefined);
    return left;
  };
  const drain = async (): Promise<number> => {
    let steps = 0;
    let left = 1;
    for (; left > 0 && !stopping.signal.aborted; steps++) left = await step();
    return steps;
  };
  const runDue = (): Promise<number> => {
    running = running.then(drain, drain);
    return running;
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => {
      timer = setInterval(() => void runDue().catch(onError), checkEveryMs);
    },
    runDue,
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      // The error was reported already.
      await running.catch(() => undefined);
    },
  };
}
