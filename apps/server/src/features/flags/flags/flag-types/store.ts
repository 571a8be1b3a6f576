import type { FeatureType, FeatureTypeId } from '#features/flags/feature/index.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** Returns the flag types in display order. */
export async function listFeatureTypes(db: Db): Promise<FeatureType[]> {
  const rows = await db
    .selectFrom('feature_types')
    .select(['id', 'name', 'description', 'lifetime_days as lifetimeDays'])
    .orderBy('place')
    .execute();
  return rows.map((row) => ({ ...row, id: row.id as FeatureTypeId }));
}

export async function setLifetimeDays(tx: Tx, { id, lifetimeDays }: FeatureType): Promise<void> {
  await tx.db.updateTable('feature_types').set({ lifetime_days: lifetimeDays }).where('id', '=', id).execute();
}
