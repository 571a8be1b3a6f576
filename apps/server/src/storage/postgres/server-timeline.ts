import type { Pool } from 'pg';
import { translated } from '../driver-errors.ts';

/** The function is missing, not allowed or not supported (managed services), or the server is a standby. */
const notShown: ReadonlySet<unknown> = new Set(['42883', '42501', '0A000', '55000']);

/**
 * Returns the timeline of the server: the first part of the name of its WAL file. Unlike `pg_control_checkpoint`, it is
 * the new one directly after a promotion. Undefined when the server does not show it.
 */
export async function serverTimeline(pool: Pick<Pool, 'query'>): Promise<string | undefined> {
  const text = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline';
  return translated(
    pool
      .query<{ timeline: string }>(text)
      .then(({ rows: [row] }) => row?.timeline)
      .catch((error: unknown) => {
        if (notShown.has((error as { readonly code?: unknown }).code)) return undefined;
        throw error;
      }),
    'reading',
  );
}
