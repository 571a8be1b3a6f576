import type { LoadResult } from './job.ts';

/**
 * Throws unless all requests, those of the warm-up included, were answered with one of the statuses: the rate of
 * refusals would be a wrong result.
 */
export function assertAnswered(result: LoadResult, statuses: readonly number[]): void {
  const { total } = result;
  const expected = statuses.reduce((sum, status) => sum + (total.statuses[status] ?? 0), 0);
  const errors = Object.keys(total.errors).length;
  if (result.answers > 0 && errors === 0 && expected === total.answers) return;
  const summary = JSON.stringify({ statuses: total.statuses, errors: total.errors });
  throw new Error(`Expected only ${statuses.join(', ')} from ${total.sent} requests, got ${summary}`);
}
