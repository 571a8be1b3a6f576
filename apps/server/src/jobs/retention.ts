import type { Tables } from '../storage/tables.ts';
import { sql, type Tx } from '../storage/tx.ts';
import type { JobKind } from './runner.ts';

const dayMs = 24 * 60 * 60 * 1000;
const restMs = 60 * 60 * 1000;
/** Rows of one step: few enough that no request waits long behind it. Rows of one time go together. */
const stepRows = 1000;

/** Rows that are kept for some days. `column` holds their time in milliseconds and is indexed. */
export interface Kept {
  readonly table: keyof Tables & string;
  readonly column: string;
  /** 0 keeps them for ever. */
  readonly days: number;
}

/** Deletes what is older than it is kept, in small steps: an hour apart, or at once while there is more. */
export function retentionJob(kind: string, kept: readonly Kept[]): JobKind {
  return {
    kind,
    recurring: true,
    run: async (tx) => {
      let more = false;
      for (const { table, column, days } of kept) {
        if (days > 0 && (await deleteOldest(tx, table, column, tx.now - days * dayMs))) more = true;
      }
      return more ? tx.now : tx.now + restMs;
    },
  };
}

/** Deletes one step; answers whether there may be more. */
async function deleteOldest(tx: Tx, table: keyof Tables & string, column: string, before: number): Promise<boolean> {
  const time = sql.ref(column);
  const { rows } = await sql<{ at: number }>`select ${time} as at from ${sql.table(table)} where ${time} < ${before}
    order by ${time} limit 1 offset ${stepRows - 1}`.execute(tx.db);
  const last = rows[0]?.at;
  await sql`delete from ${sql.table(table)} where ${time} < ${before} and ${time} <= ${last ?? before}`.execute(tx.db);
  return last !== undefined;
}
