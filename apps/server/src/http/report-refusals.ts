import type { FastifyRequest } from 'fastify';
import type { Clock } from '#kernel/clock.ts';
import type { Problem } from '#kernel/errors.ts';

/** Why a usage report was refused, by the status of the answer. */
const reasons = { 400: 'invalid', 413: 'too-large', 415: 'media-type', 429: 'rate-limit' } as const;
export type ReportRefusalReason = (typeof reasons)[keyof typeof reasons];
export const reportRefusalReasons = Object.values(reasons);

/** The time after a log line in which further refused reports are counted and not logged. */
const quietMs = 10_000;

/**
 * Counts the usage reports that were refused, and logs them, at most once in ten seconds; `unsaid` is the number of
 * suppressed lines. Reports with a wrong token are not included: they are no reports of an SDK of this instance.
 */
export class ReportRefusals {
  readonly #clock: Clock;
  readonly #count: (reason: ReportRefusalReason) => void;
  #quietUntil = 0;
  #unsaid = 0;

  constructor(clock: Clock, count: (reason: ReportRefusalReason) => void) {
    this.#clock = clock;
    this.#count = count;
  }

  /** Notes that a request was answered with `problem`, if it was a usage report. */
  answered(request: FastifyRequest, { status, message, details }: Problem): void {
    const { spec, url } = request.routeOptions.config;
    const reason = (reasons as Readonly<Record<number, ReportRefusalReason | undefined>>)[status];
    if (spec?.usageReport !== true || reason === undefined) return;
    this.#count(reason);
    const now = this.#clock.elapsed();
    if (now < this.#quietUntil) {
      this.#unsaid++;
      return;
    }
    const about = { requestId: request.id, route: url, status, bytes: request.headers['content-length'], details };
    request.log.warn({ ...about, unsaid: this.#unsaid }, `a usage report was refused, its counts are lost: ${message}`);
    this.#quietUntil = now + quietMs;
    this.#unsaid = 0;
  }
}
