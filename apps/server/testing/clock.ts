import type { Clock } from '../src/kernel/clock.ts';

/** A clock that a test moves. It begins now, so that nothing looks expired. */
export class TestClock implements Clock {
  #now = Date.now();
  now(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
  }
}
