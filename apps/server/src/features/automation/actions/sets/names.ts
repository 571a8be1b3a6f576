import type { Db } from '#storage/tx.ts';
import type { ActionSet } from './action-set.ts';

/** The names of the service account and the endpoint of a set; null when they were deleted. */
export interface SetNames {
  readonly actorName: string | null;
  readonly sourceName: string | null;
}

/** Returns the names of the service accounts and endpoints of sets, in two statements. */
export async function loadSetNames(
  db: Db,
  sets: readonly Pick<ActionSet, 'actorId' | 'endpointId'>[],
): Promise<(set: Pick<ActionSet, 'actorId' | 'endpointId'>) => SetNames> {
  const [actors, sources] = await Promise.all([
    serviceAccountNames(db, [...new Set(sets.map(({ actorId }) => actorId))]),
    endpointNames(db, [...new Set(sets.map(({ endpointId }) => endpointId))]),
  ]);
  return ({ actorId, endpointId }) => ({
    actorName: actors.get(actorId) ?? null,
    sourceName: sources.get(endpointId) ?? null,
  });
}

async function serviceAccountNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name', 'username'])
    .where('id', 'in', ids)
    .where('kind', '=', 'service-account')
    .execute();
  return new Map(rows.map(({ id, name, username }) => [id, name || username || `account ${id}`]));
}

async function endpointNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('signal_endpoints').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
