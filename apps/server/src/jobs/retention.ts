import type { Tables } from '#storage/tables.ts';
import { type Condition, type Db, sql, type Tx } from '#storage/tx.ts';
import type { JobKind } from './runner.ts';

const dayMs = 24 * 60 * 60 * 1000;
const restMs = 60 * 60 * 1000;
/**
 * The number of rows that one step deletes: few, so that no request waits long. A step may delete more, because rows
 * with the same time are deleted together.
 */
const stepRows = 1000;

/** Returns whether nothing may be deleted, because of a legal hold. */
export type IsOnHold = (db: Db) => Promise<boolean>;

/** The retention of a table. `column` holds the time of a row in milliseconds and must be indexed. */
export interface Retention {
  readonly table: keyof Tables & string;
  readonly column: string;
  /** The age in days at which rows are deleted; 0 keeps rows for ever. */
  readonly days: number;
  /** Limits the deletion to rows that meet this condition. */
  readonly only?: Condition;
}

/**
 * Creates a job that deletes rows older than their retention in small steps. It runs every hour, and again at once
 * while rows are left to delete. It deletes nothing while `isOnHold` returns true.
 */
export function retentionJob(
  kind: string,
  retentions: readonly Retention[],
  isOnHold: IsOnHold = async () => false,
): JobKind {
  return {
    kind,
    recurring: true,
    run: async (tx) => {
      if (await isOnHold(tx.db)) return tx.now + restMs;
      let more = false;
      for (const retention of retentions) {
        const { days } = retention;
        if (days > 0 && (await deleteOldest(tx, retention, tx.now - days * dayMs))) more = true;
      }
      return more ? tx.now : tx.now + restMs;
    },
  };
}

/** Deletes the rows of one step. Returns whether there may be more. */
async function deleteOldest(tx: Tx, { table, column, only }: Retention, before: number): Promise<boolean> {
  const time = sql.ref(column);
  const old = sql`${time} < ${before} and ${only ?? sql`1 = 1`}`;
  const { rows } = await sql<{ at: number }>`select ${time} as at from ${sql.table(table)} where ${old}
    order by ${time} limit 1 offset ${stepRows - 1}`.execute(tx.db);
  const last = rows[0]?.at;
  await sql`delete from ${sql.table(table)} where ${old} and ${time} <= ${last ?? before}`.execute(tx.db);
  return last !== undefined;
}
