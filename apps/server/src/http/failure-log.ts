import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import type { Problem } from '../kernel/errors.ts';

/** How long outages are only counted after one line about them. */
const quietMs = 10_000;

/**
 * Logs the answers that are our own fault. Each bug with its stack; but while the database is away every request is
 * answered 503 for the same reason, so of those there is a line in ten seconds, with how many there were since the last.
 */
export class FailureLog {
  readonly #clock: Clock;
  #quietUntil = 0;
  #unsaid = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `error` is what was thrown, `problem` what is answered. */
  answered(log: FastifyBaseLogger, problem: Problem, error: unknown, requestId: string): void {
    // A 503 that no failure caused is as it should be, such as the answer of /ready while stopping.
    if (problem.status < 500 || (problem.status === 503 && problem.cause === undefined)) return;
    const err = problem.cause ?? error;
    if (problem.status !== 503) {
      log.error({ err, requestId }, problem.message);
      return;
    }
    const now = this.#clock.now();
    if (now < this.#quietUntil) {
      this.#unsaid++;
      return;
    }
    log.error({ err, requestId, unsaid: this.#unsaid }, problem.message);
    this.#quietUntil = now + quietMs;
    this.#unsaid = 0;
  }
}
