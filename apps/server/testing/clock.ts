import type { Clock } from '#kernel/clock.ts';

/** A clock that a test moves. It starts at the time of the system, so that nothing has expired. */
export class TestClock implements Clock {
  #now = Date.now();
  #elapsed = 0;
  now(): number {
    return this.#now;
  }
  elapsed(): number {
    return this.#elapsed;
  }
  advance(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
  }
  /** Shifts the time of day, forwards or back, like a correction of the machine's clock: elapsed() stays the same. */
  set(byMs: number): void {
    this.#now += byMs;
  }
}
