import { prepared } from '#storage/prepared-query.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Override, Place } from './override.ts';

function select(db: Db) {
  return db
    .selectFrom('automation_overrides as o')
    .innerJoin('features as f', 'f.name', 'o.feature_name')
    .selectAll('o')
    .select('f.project');
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

/** Returns the override of a flag in an environment. */
export async function findOverride(db: Db, { featureName, environment }: Place): Promise<Override | undefined> {
  const query = select(db).where('o.feature_name', '=', featureName).where('o.environment', '=', environment);
  const row = await query.executeTakeFirst();
  return row && fromRow(row);
}

/** Lists the overrides in force in projects outside `hidden`, newest first. */
export async function listOverrides(
  db: Db,
  { now, hidden, limit }: { readonly now: number; readonly hidden: ReadonlySet<string>; readonly limit: number },
): Promise<Override[]> {
  let query = select(db).where((eb) => eb.or([eb('o.ends_at', 'is', null), eb('o.ends_at', '>', now)]));
  if (hidden.size > 0) query = query.where('f.project', 'not in', [...hidden]);
  return (await query.orderBy('o.id', 'desc').limit(limit).execute()).map(fromRow);
}

const selectOnFlags = prepared<{ featureNames: readonly string[] }>().query((db, { featureNames }) =>
  select(db).where('o.feature_name', 'in', featureNames).orderBy('o.id'),
);

/** Returns the overrides in force on flags, in any environment. */
export async function overridesOn(db: Db, featureNames: readonly string[], now: number): Promise<Override[]> {
  if (featureNames.length === 0) return [];
  const rows = await selectOnFlags(db, { featureNames });
  return rows.map(fromRow).filter(({ endsAt }) => endsAt === null || endsAt > now);
}

/** Returns the overrides that have ended, oldest first. */
export async function expiredOverrides(db: Db, now: number, limit: number): Promise<Override[]> {
  return (await select(db).where('o.ends_at', '<=', now).orderBy('o.id').limit(limit).execute()).map(fromRow);
}

/** Saves an override, in place of an earlier one on the same flag and environment. */
export async function saveOverride(tx: Tx, override: Omit<Override, 'id' | 'project'>): Promise<void> {
  const values = {
    reason: override.reason,
    ends_at: override.endsAt,
    placed_by_user_id: override.placedBy.id,
    placed_by: override.placedBy.name,
    placed_at: override.placedAt,
  };
  await tx.db
    .insertInto('automation_overrides')
    .values({ feature_name: override.featureName, environment: override.environment, ...values })
    .onConflict((conflict) => conflict.columns(['feature_name', 'environment']).doUpdateSet(values))
    .execute();
}

export async function deleteOverride(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('automation_overrides').where('id', '=', id).execute();
}

function fromRow(row: Row): Override {
  return {
    id: row.id,
    project: row.project,
    featureName: row.feature_name,
    environment: row.environment,
    reason: row.reason,
    endsAt: row.ends_at,
    placedBy: { id: row.placed_by_user_id, name: row.placed_by },
    placedAt: row.placed_at,
  };
}
