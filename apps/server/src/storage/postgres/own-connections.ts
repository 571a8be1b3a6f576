import type { Pool, PoolClient } from 'pg';
import { DatabaseUnusable } from '../driver-errors.ts';

/**
 * Throws a {@link DatabaseUnusable} when a pooler such as PgBouncer gives the connections of the pool to other clients
 * between transactions: settings and prepared statements would be those of other clients, and notifications lost.
 */
export async function requireOwnConnections(pool: Pool): Promise<void> {
  const one = await pool.connect();
  const other = await pool.connect();
  try {
    const before = await processOf(one);
    await other.query('begin');
    // A pooler has one process of PostgreSQL for both clients, or gives the first one another while its own is in use.
    const shared = (await processOf(other)) === before || (await processOf(one)) !== before;
    await other.query('rollback');
    if (shared) {
      throw new DatabaseUnusable(
        'The database is behind a pooler that shares connections between transactions, such as PgBouncer with pool_mode = transaction. Yardarm needs connections of its own: connect to PostgreSQL directly, or set pool_mode = session.',
      );
    }
  } finally {
    one.release();
    other.release();
  }
}

/** Returns the id of the process of PostgreSQL that serves a client. */
async function processOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
