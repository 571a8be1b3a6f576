import type { Clock } from '../src/kernel/clock.ts';

/** A clock that a test moves. It begins now, so that nothing looks expired. */
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
  /** Sets the time, forwards or back, as an administrator of a machine does; no time passes. */
  set(byMs: number): void {
    this.#now += byMs;
  }
}
