import { type Condition, sql } from '#storage/tx.ts';

export const dayMs = 24 * 60 * 60 * 1000;

/** Matches rows of `features`, named `table` in the query, that are older than the lifetime of their flag type. */
export function overdue(table: string, now: number): Condition {
  return sql<boolean>`exists (select 1 from feature_types as lifetimes where lifetimes.id = ${sql.ref(`${table}.type`)}
    and lifetimes.lifetime_days * ${dayMs} < ${now} - ${sql.ref(`${table}.created_at`)})`;
}
