import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until the answer is neither `undefined` nor `false`. Rejects when that takes over `timeoutMs`,
 * or with what `ask` threw.
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
