import type { Clock } from '#kernel/clock.ts';

/** A clock that starts in the past and is moved forward until it shows the time of the system. */
export class PastClock implements Clock {
  #behind: number;
  #skipped = 0;

  /** Begins `ms` milliseconds ago. */
  constructor(ms: number) {
    this.#behind = ms;
  }

  now(): number {
    return Date.now() - this.#behind;
  }

  elapsed(): number {
    return performance.now() + this.#skipped;
  }

  /** Moves forward to a time; does nothing when it has passed. The clock never gets ahead of the system's. */
  moveTo(time: number): void {
    const step = Math.min(time - this.now(), this.#behind);
    if (step <= 0) return;
    this.#behind -= step;
    this.#skipped += step;
  }

  catchUp(): void {
    this.moveTo(Number.POSITIVE_INFINITY);
  }
}
