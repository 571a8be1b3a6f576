import type { Comparison, RecentQuery } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Safeguard } from './safeguard.ts';

const queryColumn = jsonColumn(
  'safeguards.query',
  z.custom<RecentQuery>((value) => typeof value === 'object' && value !== null, 'Invalid input: expected object'),
);

const select = (db: Db) => db.selectFrom('safeguards').selectAll();

/** Returns the safeguards of a flag in an environment: those of its plan first, each oldest first. */
export async function safeguardsIn(db: Db, featureName: string, environment: string): Promise<Safeguard[]> {
  const rows = await select(db)
    .where('feature_name', '=', featureName)
    .where('environment', '=', environment)
    .orderBy((eb) => eb.case().when('plan_id', 'is', null).then(1).else(0).end())
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(fromRow);
}

/** Returns the safeguards of flags in all environments, oldest first, with one statement. */
export async function safeguardsOn(db: Db, featureNames: readonly string[]): Promise<Safeguard[]> {
  if (featureNames.length === 0) return [];
  const query = select(db).where('feature_name', 'in', featureNames).orderBy('created_at').orderBy('id');
  return (await query.execute()).map(fromRow);
}

/** Returns safeguards that are due to be looked at, at most `limit`, longest overdue first. */
export async function dueSafeguards(db: Db, now: number, limit: number): Promise<Safeguard[]> {
  const rows = await select(db)
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** Returns when a safeguard is to be looked at next, in milliseconds UTC; undefined when there is none. */
export async function nextLookAt(db: Db): Promise<number | undefined> {
  const first = db.selectFrom('safeguards').select('next_look_at').orderBy('next_look_at').limit(1);
  return (await first.executeTakeFirst())?.next_look_at;
}

/** A safeguard that has had no value for so long that an event says so. */
export interface BlindSafeguard extends Safeguard {
  readonly project: string;
  readonly noDataSince: number;
}

/** Returns the safeguards without data of flags in all projects but `hidden` ones, at most `limit`, longest first. */
export async function safeguardsWithoutData(
  db: Db,
  hidden: ReadonlySet<string>,
  limit: number,
): Promise<BlindSafeguard[]> {
  let query = db
    .selectFrom('safeguards as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .selectAll('s')
    .select('f.project')
    .where('s.no_data_told', '=', 1);
  if (hidden.size > 0) query = query.where('f.project', 'not in', [...hidden]);
  const rows = await query.orderBy('s.no_data_since').orderBy('s.id').limit(limit).execute();
  return rows.map((row) => ({
    ...fromRow(row),
    project: row.project,
    noDataSince: row.no_data_since ?? row.created_at,
  }));
}

export async function insertSafeguard(tx: Tx, safeguard: Safeguard): Promise<void> {
  await tx.db.insertInto('safeguards').values(toRow(safeguard)).execute();
}

export async function updateSafeguard(tx: Tx, safeguard: Safeguard): Promise<void> {
  const { id, ...row } = toRow(safeguard);
  await tx.db.updateTable('safeguards').set(row).where('id', '=', id).execute();
}

export async function deleteSafeguard(tx: Tx, id: string): Promise<void> {
  await tx.db.deleteFrom('safeguards').where('id', '=', id).execute();
}

function toRow(safeguard: Safeguard): Row<'safeguards'> {
  return {
    id: safeguard.id,
    feature_name: safeguard.featureName,
    environment: safeguard.environment,
    plan_id: safeguard.planId,
    hold_at: safeguard.holdAt,
    query: queryColumn.write(safeguard.query),
    operator: safeguard.condition.operator,
    threshold: safeguard.condition.threshold,
    state: safeguard.state,
    value: safeguard.value,
    reason: safeguard.reason,
    looked_at: safeguard.lookedAt,
    triggered_at: safeguard.triggeredAt,
    next_look_at: safeguard.nextLookAt,
    no_data_since: safeguard.noDataSince,
    no_data_told: Number(safeguard.noDataTold),
    created_by_user_id: safeguard.createdByUserId,
    created_at: safeguard.createdAt,
  };
}

function fromRow(row: Row<'safeguards'>): Safeguard {
  return {
    id: row.id,
    featureName: row.feature_name,
    environment: row.environment,
    planId: row.plan_id,
    holdAt: row.hold_at,
    query: queryColumn.parse(row.query, row.id),
    condition: { operator: row.operator as Comparison['operator'], threshold: row.threshold },
    state: row.state as Safeguard['state'],
    value: row.value,
    reason: row.reason,
    lookedAt: row.looked_at,
    triggeredAt: row.triggered_at,
    nextLookAt: row.next_look_at,
    noDataSince: row.no_data_since,
    noDataTold: row.no_data_told === 1,
    createdByUserId: row.created_by_user_id,
    createdAt: row.created_at,
  };
}
