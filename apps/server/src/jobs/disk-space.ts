import { Loop, pause } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';

const checkEveryMs = 60_000;
/** The target duration of a step. Writes wait for a step to finish. */
const stepMs = 20;
const firstPages = 16;
const mostPages = 2048;

/**
 * Creates the loop that returns the space of deleted rows to the operating system (incremental vacuum), in short steps.
 * Pauses after each step for as long as the step took, so that writes can run in between. A round returns the number of
 * its steps.
 */
export function createDiskSpace(database: Pick<Database, 'reclaim'>, onError: (error: unknown) => void): Loop<number> {
  let pages = firstPages;
  const step = async (): Promise<number> => {
    const begun = performance.now();
    const left = await database.reclaim(pages);
    const took = performance.now() - begun;
    if (took > stepMs) pages = Math.max(firstPages, pages >> 1);
    else if (took < stepMs / 2) pages = Math.min(mostPages, pages << 1);
    // stop() ends the pause early.
    if (left > 0) await pause(took, loop.stopping);
    return left;
  };
  const drain = async (): Promise<number> => {
    let steps = 0;
    let left = 1;
    for (; left > 0 && !loop.stopping.aborted; steps++) left = await step();
    return steps;
  };
  const loop = new Loop({ round: drain, onError, everyMs: checkEveryMs });
  return loop;
}
