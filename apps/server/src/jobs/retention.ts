import type { Tables } from '../storage/tables.ts';
import { type Condition, sql, type Tx } from '../storage/tx.ts';
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
  /** Which rows go at all; all when absent. */
  readonly only?: Condition;
}

/** Deletes what is older than it is kept, in small steps: an hour apart, or at once while there is more. */
export function retentionJob(kind: string, kept: readonly Kept[]): JobKind {
  return {
    kind,
    recurring: true,
    run: async (tx) => {
      let more = false;
      for (const one of kept) {
        if (one.days > 0 && (await deleteOldest(tx, one, tx.now - one.days * dayMs))) more = true;
      }
      return more ? tx.now : tx.now + restMs;
    },
  };
}

/** Deletes one step; answers whether there may be more. */
async function deleteOldest(tx: Tx, { table, column, only }: Kept, before: number): Promise<boolean> {
  const time = sql.ref(column);
  const old = sql`${time} < ${before} and ${only ?? sql`1 = 1`}`;
  const { rows } = await sql<{ at: number }>`select ${time} as at from ${sql.table(table)} where ${old}
    order by ${time} limit 1 offset ${stepRows - 1}`.execute(tx.db);
  const last = rows[0]?.at;
  await sql`delete from ${sql.table(table)} where ${old} and ${time} <= ${last ?? before}`.execute(tx.db);
  return last !== undefined;
}
