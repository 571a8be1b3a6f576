import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../storage/database.ts';

export interface DiskSpace {
  /** Gives back what there is to give; answers in how many steps. For tests. */
  runDue(): Promise<number>;
  /** Finishes the step in hand and takes no more. */
  stop(): Promise<void>;
}

const lookEveryMs = 60_000;
/** A change that comes during a step waits for it: steps are sized to take about so long. */
const stepMs = 20;
const firstPages = 16;
const mostPages = 2048;

/**
 * Gives the space of deleted rows back to the disk, in steps that other changes can come between: after each step it
 * rests as long as the step took.
 */
export function startDiskSpace(database: Pick<Database, 'reclaim'>, onError: (error: unknown) => void): DiskSpace {
  const stopping = new AbortController();
  let pages = firstPages;
  let running: Promise<number> = Promise.resolve(0);
  const step = async (): Promise<number> => {
    const begun = performance.now();
    const left = await database.reclaim(pages);
    const took = performance.now() - begun;
    if (took > stepMs) pages = Math.max(firstPages, pages >> 1);
    else if (took < stepMs / 2) pages = Math.min(mostPages, pages << 1);
    // Stopping ends the rest early.
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
  const timer = setInterval(() => void runDue().catch(onError), lookEveryMs);
  return {
    runDue,
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      // A failure has been reported where it happened.
      await running.catch(() => undefined);
    },
  };
}
