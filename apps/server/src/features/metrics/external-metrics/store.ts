import { createHash } from 'node:crypto';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Reading } from './source.ts';

/** PromQL, and the time at which it is evaluated, in milliseconds UTC. */
export interface InstantQuery {
  readonly promql: string;
  readonly at: number;
}

/** A stored query, which waits to be sent or has been taken by a process. */
export interface StoredQuery extends InstantQuery {
  readonly id: string;
}

/**
 * Returns the readings of queries: `pending` for queries without an answer yet, and undefined for queries that
 * were not stored.
 */
export async function readingsOf(
  db: Db,
  queries: readonly InstantQuery[],
): Promise<(Reading | 'pending' | undefined)[]> {
  const ids = queries.map(idOf);
  const rows = await db.selectFrom('external_readings').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && (row.state === 'answered' ? toReading(row) : 'pending');
  });
}

/**
 * Stores queries to send. A query that is stored already is not stored again. Rows are written in the order of their
 * keys, so that two processes cannot deadlock.
 */
export async function insertQueries(tx: Tx, queries: readonly InstantQuery[]): Promise<void> {
  const byId = new Map(queries.map((query) => [idOf(query), query]));
  const sorted = [...byId].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = sorted.map(([id, query]) => ({
    id,
    promql: query.promql,
    at: query.at,
    state: 'wanted',
    value: null,
    reason: null,
    is_empty: 0,
  }));
  await tx.db
    .insertInto('external_readings')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Claims at most `limit` waiting queries, so that no other process sends them. Deletes the queries and readings for
 * times before `oldest`.
 */
export async function takeQueries(tx: Tx, limit: number, oldest: number): Promise<StoredQuery[]> {
  await tx.db.deleteFrom('external_readings').where('at', '<', oldest).execute();
  const waiting = tx.db
    .selectFrom('external_readings')
    .select('id')
    .where('state', '=', 'wanted')
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit);
  // The state is compared again: another process may have taken the row meanwhile.
  return tx.db
    .updateTable('external_readings')
    .set({ state: 'asked' })
    .where('id', 'in', waiting)
    .where('state', '=', 'wanted')
    .returning(['id', 'promql', 'at'])
    .execute();
}

export async function saveReading(tx: Tx, id: string, reading: Reading): Promise<void> {
  const isEmpty = 'isEmpty' in reading ? 1 : 0;
  const [value, reason] = 'reason' in reading ? [null, reading.reason] : [reading.value, null];
  await tx.db
    .updateTable('external_readings')
    .set({ state: 'answered', value, reason, is_empty: isEmpty })
    .where('id', '=', id)
    .execute();
}

function toReading({ value, reason, is_empty }: Row<'external_readings'>): Reading {
  if (value !== null) return { value };
  return { reason: reason ?? '', ...(is_empty === 1 ? { isEmpty: true } : {}) };
}

function idOf({ promql, at }: InstantQuery): string {
  return createHash('sha256').update(`${at} ${promql}`).digest('base64url').slice(0, 22);
}
