import { setTimeout as pause } from 'node:timers/promises';

/**
 * Calls `ask` until the answer is neither `undefined` nor `false`. Rejects after `timeoutMs`, or with the error of
 * `ask`.
 */
export async function until<T>(
  what: string,
  timeoutMs: number,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  stepMs = 10,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await pause(stepMs);
  }
}
