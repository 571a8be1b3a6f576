import { type Condition, sql } from '#storage/tx.ts';
import type { CursorPosition } from './cursor.ts';
import type { FlagOrder } from './flag-search.ts';

const columns: Readonly<Record<string, string>> = {
  name: 'f.name',
  type: 'f.type',
  project: 'f.project',
  stale: 'f.stale',
  createdAt: 'f.created_at',
};

/**
 * Returns the sort key of a flag. Nulls become the lowest value, because SQLite and PostgreSQL order nulls differently.
 */
export function keyValueOf({ key }: FlagOrder) {
  if (key === 'lastSeenAt') return sql<number>`coalesce(f.last_seen_at, 0)`;
  const column = columns[key];
  if (column !== undefined) return sql<string | number>`${sql.ref(column)}`;
  return sql<number>`coalesce((select e.enabled from feature_environments as e
    where e.feature_name = f.name and e.environment = ${key.slice('environment:'.length)}), -1)`;
}

/** Returns 0 for a favorite that comes first, 1 for every other flag. */
export function rankOf({ favoritesOf }: FlagOrder) {
  if (favoritesOf === undefined) return sql<number>`1`;
  return sql<number>`case when exists (select 1 from favorite_features as v
    where v.feature_name = f.name and v.user_id = ${favoritesOf}) then 0 else 1 end`;
}

/** Returns the content of the `order by` clause. */
export function orderOf(order: FlagOrder) {
  const direction = order.descending ? sql`desc` : sql`asc`;
  const byKey = order.key === 'name' ? sql`f.name ${direction}` : sql`${keyValueOf(order)} ${direction}, f.name asc`;
  return order.favoritesOf === undefined ? byKey : sql`${rankOf(order)}, ${byKey}`;
}

/** Returns the condition that matches the flags after a position in the order. */
export function afterCondition(order: FlagOrder, { rank, value, name }: CursorPosition): Condition {
  const beyond = order.descending ? sql`<` : sql`>`;
  const later =
    order.key === 'name'
      ? sql<boolean>`f.name ${beyond} ${name}`
      : sql<boolean>`(${keyValueOf(order)} ${beyond} ${value} or (${keyValueOf(order)} = ${value} and f.name > ${name}))`;
  if (order.favoritesOf === undefined) return later;
  return sql<boolean>`(${rankOf(order)} > ${rank} or (${rankOf(order)} = ${rank} and ${later}))`;
}
