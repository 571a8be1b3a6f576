import type { Pool, QueryResult } from 'pg';
import { SearchStopped } from '../search-turns.ts';
import { gather } from './postgres-gathering.ts';

/** PostgreSQL's code for a statement that was cancelled, here by `statement_timeout`. */
const cancelled = '57014';

/**
 * Runs a statement that PostgreSQL cancels after `ms` milliseconds, in one round trip; then rejects with a
 * {@link SearchStopped}. It bears no name: how best to search depends on the values.
 */
export async function queryWithin(pool: Pool, text: string, values: unknown[], ms: number): Promise<QueryResult> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    gather(client);
    const [limited, answered, reset] = await Promise.allSettled([
      client.query(`set statement_timeout = ${Math.max(1, Math.ceil(ms))}`),
      client.query({ text, values }),
      client.query('reset statement_timeout'),
    ]);
    // A connection that keeps the short limit must not serve anything else.
    if (limited.status === 'rejected') broken ??= limited.reason as Error;
    if (reset.status === 'rejected') broken ??= reset.reason as Error;
    if (answered.status === 'fulfilled') return answered.value;
    if ((answered.reason as { code?: unknown }).code === cancelled) {
      throw new SearchStopped(`a search statement took longer than ${ms} ms`, { cause: answered.reason });
    }
    throw answered.reason;
  } finally {
    client.off('error', onError);
    client.release(broken ?? false);
  }
}
