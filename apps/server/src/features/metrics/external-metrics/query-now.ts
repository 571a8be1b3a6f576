import { badField, Problem } from '#kernel/errors.ts';
import { type MetricSource, SourceError } from './source.ts';

/** Queries the Prometheus server while a request waits for it. */
export type QueryNow = <T>(query: (source: MetricSource) => Promise<T>) => Promise<T>;

/** The maximum number of concurrent queries: callers that repeat slow queries must not exhaust the server. */
const maxConcurrent = 16;

/**
 * Creates a {@link QueryNow}, to be called outside of any transaction. It rejects with 400 when no server is set, with
 * 502 and the reason when the server gives no usable answer, and with 503 while too many requests query it.
 */
export function createQueryNow(source: MetricSource | undefined): QueryNow {
  let running = 0;
  return async (query) => {
    if (source === undefined) throw badField('source', `must be internal: ${notSet}`);
    if (running >= maxConcurrent)
      throw new Problem('ServiceUnavailableError', 'Too many requests query the Prometheus server. Try again later.');
    running++;
    try {
      return await query(source);
    } catch (error) {
      throw error instanceof SourceError ? new Problem('BadGatewayError', error.message, { cause: error }) : error;
    } finally {
      running--;
    }
  };
}

/** The reason of refusals while there is no source. */
export const notSet = 'no Prometheus server is set (YARDARM_PROMETHEUS_URL)';
