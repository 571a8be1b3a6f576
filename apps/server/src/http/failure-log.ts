import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { ServiceLog } from '#observe/log.ts';

/** The time after a log line about an outage in which further outages are counted and not logged. */
const quietMs = 10_000;

/**
 * Logs server errors: each bug with its stack trace. While the database is down, every request and job fails for the
 * same reason, so outages are logged once in ten seconds, with the number of suppressed lines in `unsaid`.
 */
export class FailureLog {
  readonly #clock: Clock;
  readonly #isOutage: (error: unknown) => boolean;
  #quietUntil = 0;
  #unsaid = 0;

  /** `isOutage` recognizes errors of the database driver. A 503 `Problem` with a cause always counts as an outage. */
  constructor(clock: Clock, isOutage: (error: unknown) => boolean = () => false) {
    this.#clock = clock;
    this.#isOutage = isOutage;
  }

  /** Logs the failure of a request: `error` was thrown, `problem` is the answer. */
  answered(log: FastifyBaseLogger, problem: Problem, error: unknown, requestId: string): void {
    // A 503 without a cause is expected, such as the answer of /ready during a shutdown.
    if (problem.status < 500 || (problem.status === 503 && problem.cause === undefined)) return;
    const about = { err: problem.cause ?? error, requestId };
    if (problem.status === 503) this.#outage(log, about, problem.message);
    else log.error(about, problem.message);
  }

  /**
   * Returns the log for background work. Its outage errors are suppressed and counted together with those of requests.
   */
  over(log: Logger): ServiceLog {
    return {
      info: (about, message) => log.info(about, message),
      warn: (about, message) => log.warn(about, message),
      error: (about, message) => {
        if (this.#isOutageError(about.err)) this.#outage(log, about, message);
        else log.error(about, message);
      },
    };
  }

  #isOutageError(error: unknown): boolean {
    if (error instanceof AggregateError) return error.errors.every((inner) => this.#isOutageError(inner));
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
