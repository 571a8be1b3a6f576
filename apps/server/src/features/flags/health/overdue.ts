import { type Condition, sql } from '../../../storage/tx.ts';

export const dayMs = 24 * 60 * 60 * 1000;

/** Whether a row of `features`, under the name `table`, is older than flags of its type are expected to become. */
export function overdue(table: string, now: number): Condition {
  return sql<boolean>`exists (select 1 from feature_types as lifetimes where lifetimes.id = ${sql.ref(`${table}.type`)}
    and lifetimes.lifetime_days * ${dayMs} < ${now} - ${sql.ref(`${table}.created_at`)})`;
}
