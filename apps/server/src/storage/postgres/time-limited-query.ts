import type { PoolClient, QueryResult } from 'pg';
import { SearchStopped } from '../search-scheduler.ts';
import { corkForTick } from './cork.ts';

/** PostgreSQL's error code of a statement that was cancelled by `statement_timeout`. */
const cancelled = '57014';

/**
 * Runs a statement with a time limit of `ms` milliseconds instead of the `usual` one, in one round trip. Rejects with a
 * {@link SearchStopped} when PostgreSQL cancels it. The statement has no name, so PostgreSQL plans it for its values
 * each time.
 */
export async function queryWithin(
  connect: () => Promise<PoolClient>,
  text: string,
  values: unknown[],
  { ms, usual }: { readonly ms: number; readonly usual: string },
): Promise<QueryResult> {
  const client = await connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    corkForTick(client);
    const [limited, answered, reset] = await Promise.allSettled([
      client.query(`set statement_timeout = ${Math.max(1, Math.ceil(ms))}`),
      client.query({ text, values }),
      client.query(`set statement_timeout = ${client.escapeLiteral(usual)}`),
    ]);
    // A connection on which the limit could not be reset must not serve other queries.
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
