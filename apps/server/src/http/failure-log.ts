import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import { Problem } from '../kernel/errors.ts';
import type { ServiceLog } from '../observe/log.ts';

/** How long outages are only counted after one line about them. */
const quietMs = 10_000;

/**
 * Logs failures that are our own fault. Each bug with its stack; but while the database is away every request and every
 * piece of background work fails for the same reason, so of those there is a line in ten seconds, with how many there were
 * since the last.
 */
export class FailureLog {
  readonly #clock: Clock;
  readonly #isOutage: (error: unknown) => boolean;
  #quietUntil = 0;
  #unsaid = 0;

  /** `isOutage` recognizes a failure of the database's driver; a 503 `Problem` with a cause is an outage anyway. */
  constructor(clock: Clock, isOutage: (error: unknown) => boolean = () => false) {
    this.#clock = clock;
    this.#isOutage = isOutage;
  }

  /** Logs the failure of a request. `error` is what was thrown, `problem` what is answered. */
  answered(log: FastifyBaseLogger, problem: Problem, error: unknown, requestId: string): void {
    // A 503 that no failure caused is as it should be, such as the answer of /ready while stopping.
    if (problem.status < 500 || (problem.status === 503 && problem.cause === undefined)) return;
    const about = { err: problem.cause ?? error, requestId };
    if (problem.status === 503) this.#outage(log, about, problem.message);
    else log.error(about, problem.message);
  }

  /** Returns the log of background work: its failures in an outage are counted together with those of requests. */
  over(log: Logger): ServiceLog {
    return {
      info: (about, message) => log.info(about, message),
      warn: (about, message) => log.warn(about, message),
      error: (about, message) => {
        if (this.#tellsOfOutage(about.err)) this.#outage(log, about, message);
        else log.error(about, message);
      },
    };
  }

  #tellsOfOutage(error: unknown): boolean {
    if (error instanceof AggregateError) return error.errors.every((one) => this.#tellsOfOutage(one));
    if (error instanceof Problem) return error.status === 503 && error.cause !== undefined;
    return this.#isOutage(error);
  }

  #outage(log: Pick<FastifyBaseLogger, 'error'>, about: object, message: string): void {
    const now = this.#clock.elapsed();
    if (now < this.#quietUntil) {
      this.#unsaid++;
      return;
    }
    log.error({ ...about, unsaid: this.#unsaid }, message);
    this.#quietUntil = now + quietMs;
    this.#unsaid = 0;
  }
}
