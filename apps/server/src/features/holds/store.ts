import type { Cause } from '../../kernel/actor.ts';
import { prepared } from '../../storage/prepared-query.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { type Hold, holdColumns, toHold } from '../flags/index.ts';
import type { ListedHold } from './hold.ts';

/** A flag in an environment. Several holds can share the place. */
export interface Place {
  readonly featureName: string;
  readonly environment: string;
}

const selectIn = prepared<{ featureName: string; environment: string }>().query((db, { featureName, environment }) =>
  selectHolds(db).where('l.feature_name', '=', featureName).where('l.environment', '=', environment).orderBy('l.id'),
);

/** Lists the holds on a flag in an environment, oldest first. */
export async function holdsIn(db: Db, { featureName, environment }: Place): Promise<Hold[]> {
  const rows = await selectIn(db, { featureName, environment });
  return rows.flatMap((row) => toHold(row) ?? []);
}

/** Lists the holds on flags, oldest first. */
export async function holdsOn(db: Db, featureNames: readonly string[]): Promise<Hold[]> {
  if (featureNames.length === 0) return [];
  const rows = await selectHolds(db).where('l.feature_name', 'in', featureNames).orderBy('l.id').execute();
  return rows.flatMap((row) => toHold(row) ?? []);
}

/** Returns the hold with the earliest expiry, past or future; undefined when no hold expires. */
export async function nextExpiry(db: Db): Promise<({ readonly at: number; readonly id: number } & Place) | undefined> {
  const row = await db
    .selectFrom('feature_leases')
    .select(['id', 'feature_name', 'environment', 'expires_at'])
    .where('expires_at', 'is not', null)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (row?.expires_at == null) return undefined;
  return { at: row.expires_at, id: row.id, featureName: row.feature_name, environment: row.environment };
}

/** Inserts a hold; returns its id. */
export async function insertHold(tx: Tx, hold: Omit<Hold, 'id'>): Promise<number> {
  const { id } = await tx.db
    .insertInto('feature_leases')
    .values({
      feature_name: hold.featureName,
      environment: hold.environment,
      effect: hold.effect,
      rollout: hold.rollout,
      for_everyone: Number(hold.forEveryone),
      holder_kind: hold.holder.kind,
      holder_key: hold.holder.key,
      run_id: hold.holder.runId,
      reason: hold.reason,
      placed_by_user_id: hold.holder.userId,
      placed_by: hold.holder.name,
      placed_at: hold.placedAt,
      expires_at: hold.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates the effect, reason and expiry of a hold; its holder and the time it was placed stay. */
export async function updateHold(tx: Tx, { id, effect, rollout, forEveryone, reason, expiresAt }: Hold): Promise<void> {
  await tx.db
    .updateTable('feature_leases')
    .set({ effect, rollout, for_everyone: Number(forEveryone), reason, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();
}

export async function deleteHolds(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.db.deleteFrom('feature_leases').where('id', 'in', ids).execute();
}

/** Returns the cause of the event that placed or last updated a hold; empty when the event has been deleted. */
export async function causeOfHold(db: Db, { featureName, environment }: Place, id: number): Promise<Cause> {
  const event = await db
    .selectFrom('events')
    .select(['request_id', 'signal_id', 'run_id'])
    .where('feature_name', '=', featureName)
    .where('environment', '=', environment)
    .where('type', 'in', ['feature-lease-placed', 'feature-lease-updated'])
    // `data` is the JSON of presentHold, which starts with the id.
    .where('data', 'like', `{"id":${id},%`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...(event?.request_id != null && { requestId: event.request_id }),
    ...(event?.signal_id != null && { signalId: event.signal_id }),
    ...(event?.run_id != null && { runId: event.run_id }),
  };
}

/** Sets the hold in force on a flag in an environment; null restores the configured state. */
export async function setInForce(tx: Tx, { featureName, environment }: Place, id: number | null): Promise<void> {
  await tx.db
    .updateTable('feature_environments')
    .set({ lease_id: id })
    .where('feature_name', '=', featureName)
    .where('environment', '=', environment)
    .execute();
}

/** Restores the configured state of flags in all environments. */
export async function clearInForce(tx: Tx, featureNames: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('feature_environments')
    .set({ lease_id: null })
    .where('feature_name', 'in', featureNames)
    .where('lease_id', 'is not', null)
    .execute();
}

/** The hold in force on a flag in an environment, with the configured state. */
export interface HoldInForce {
  readonly hold: Hold;
  readonly configuredOn: boolean;
}

/** Loads the holds in force in environments by {@link placeKey}, with one statement. */
export async function holdsInForce(db: Db, environments: readonly string[]): Promise<ReadonlyMap<string, HoldInForce>> {
  const rows = await selectHolds(db)
    .innerJoin('feature_environments as e', 'e.lease_id', 'l.id')
    .where('e.environment', 'in', environments)
    .select('e.enabled as configured')
    .execute();
  const held = rows.flatMap((row) => {
    const hold = toHold(row);
    return hold === null ? [] : [[placeKey(hold), { hold, configuredOn: row.configured === 1 }] as const];
  });
  return new Map(held);
}

/** Returns a map key for a flag in an environment. */
export function placeKey({ featureName, environment }: Place): string {
  return `${environment}/${featureName}`;
}

/** Lists a page of the holds on flags of a project, newest first, and their total, with two statements. */
export async function holdsOfProject(
  db: Db,
  project: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly holds: ListedHold[]; readonly total: number }> {
  const [rows, count] = await Promise.all([
    selectListed(db).where('f.project', '=', project).orderBy('l.id', 'desc').offset(offset).limit(limit).execute(),
    db
      .selectFrom('feature_leases as l')
      .innerJoin('features as f', 'f.name', 'l.feature_name')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('f.project', '=', project)
      .executeTakeFirstOrThrow(),
  ]);
  return { holds: rows.flatMap(toListed), total: Number(count.n) };
}

/** Lists the holds on a flag, newest first; only the hold `id` when it is given. */
export async function listHolds(db: Db, featureName: string, id?: number): Promise<ListedHold[]> {
  let query = selectListed(db).where('l.feature_name', '=', featureName);
  if (id !== undefined) query = query.where('l.id', '=', id);
  return (await query.orderBy('l.id', 'desc').execute()).flatMap(toListed);
}

function selectHolds(db: Db) {
  return db.selectFrom('feature_leases as l').select(['l.feature_name', 'l.environment', ...holdColumns]);
}

function selectListed(db: Db) {
  return selectHolds(db)
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .innerJoin('feature_environments as e', (join) =>
      join.onRef('e.feature_name', '=', 'l.feature_name').onRef('e.environment', '=', 'l.environment'),
    )
    .select(['f.project', 'e.lease_id as in_force']);
}

function toListed(row: Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]): ListedHold[] {
  const hold = toHold(row);
  return hold === null ? [] : [{ ...hold, project: row.project, inForce: row.in_force === hold.id }];
}
