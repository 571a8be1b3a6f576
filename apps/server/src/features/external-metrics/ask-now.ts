import { badField, Problem } from '../../kernel/errors.ts';
import { type MetricSource, SourceError } from './source.ts';

/** Asks the Prometheus server for the answer to a request. */
export type AskNow = <T>(question: (source: MetricSource) => Promise<T>) => Promise<T>;

/** The most requests that ask at a time: callers that repeat slow queries must not exhaust the server. */
const maxConcurrent = 16;

/**
 * Creates the part that asks for requests, outside of any transaction. Rejects with 400 when no server is set, with 502
 * and the reason when it gives no usable answer, and with 503 while too many requests ask.
 */
export function createAskNow(source: MetricSource | undefined): AskNow {
  let asking = 0;
  return async (question) => {
    if (source === undefined) throw badField('source', `must be internal: ${notSet}`);
    if (asking >= maxConcurrent)
      throw new Problem('ServiceUnavailableError', 'Too many requests ask the Prometheus server. Try again later.');
    asking++;
    try {
      return await question(source);
    } catch (error) {
      throw error instanceof SourceError ? new Problem('BadGatewayError', error.message, { cause: error }) : error;
    } finally {
      asking--;
    }
  };
}

/** The reason of refusals while there is no source. */
export const notSet = 'no Prometheus server is set (YARDARM_PROMETHEUS_URL)';
