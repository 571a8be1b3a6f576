import type { Cause } from '../../kernel/actor.ts';
import { prepared } from '../../storage/compiled.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { type Lease, leaseColumns, toLease } from '../flags/index.ts';
import type { ListedLease } from './hold.ts';

/** Where leases lie over each other. */
export interface Place {
  readonly featureName: string;
  readonly environment: string;
}

const selectIn = prepared<{ featureName: string; environment: string }>().query((db, { featureName, environment }) =>
  selectLeases(db).where('l.feature_name', '=', featureName).where('l.environment', '=', environment).orderBy('l.id'),
);

/** The leases on a flag in an environment, oldest first. */
export async function leasesIn(db: Db, { featureName, environment }: Place): Promise<Lease[]> {
  const rows = await selectIn(db, { featureName, environment });
  return rows.flatMap((row) => toLease(row) ?? []);
}

/** The leases on these flags, oldest first. */
export async function leasesOf(db: Db, featureNames: readonly string[]): Promise<Lease[]> {
  if (featureNames.length === 0) return [];
  const rows = await selectLeases(db).where('l.feature_name', 'in', featureNames).orderBy('l.id').execute();
  return rows.flatMap((row) => toLease(row) ?? []);
}

/** The lease that expires first, or has; undefined when none ever will. */
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

/** Adds a lease; answers its id. */
export async function insertLease(tx: Tx, lease: Omit<Lease, 'id'>): Promise<number> {
  const { id } = await tx.db
    .insertInto('feature_leases')
    .values({
      feature_name: lease.featureName,
      environment: lease.environment,
      effect: lease.effect,
      rollout: lease.rollout,
      for_everyone: Number(lease.forEveryone),
      holder_kind: lease.holder.kind,
      holder_key: lease.holder.key,
      run_id: lease.holder.runId,
      reason: lease.reason,
      placed_by_user_id: lease.holder.userId,
      placed_by: lease.holder.name,
      placed_at: lease.placedAt,
      expires_at: lease.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Changes what a lease does, why and for how long; who holds it since when stays. */
export async function updateLease(
  tx: Tx,
  { id, effect, rollout, forEveryone, reason, expiresAt }: Lease,
): Promise<void> {
  await tx.db
    .updateTable('feature_leases')
    .set({ effect, rollout, for_everyone: Number(forEveryone), reason, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();
}

export async function deleteLeases(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.db.deleteFrom('feature_leases').where('id', 'in', ids).execute();
}

/** Returns the cause of what placed a lease or changed it last; none where the event log no longer tells. */
export async function causeOfLease(db: Db, { featureName, environment }: Place, id: number): Promise<Cause> {
  const set = await db
    .selectFrom('events')
    .select(['request_id', 'signal_id', 'run_id'])
    .where('feature_name', '=', featureName)
    .where('environment', '=', environment)
    .where('type', 'in', ['feature-lease-placed', 'feature-lease-updated'])
    // What the log keeps of a lease begins with its id.
    .where('data', 'like', `{"id":${id},%`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...(set?.request_id != null && { requestId: set.request_id }),
    ...(set?.signal_id != null && { signalId: set.signal_id }),
    ...(set?.run_id != null && { runId: set.run_id }),
  };
}

/** Names the lease in force; null where the flag is as it is configured. */
export async function putInForce(tx: Tx, { featureName, environment }: Place, id: number | null): Promise<void> {
  await tx.db
    .updateTable('feature_environments')
    .set({ lease_id: id })
    .where('feature_name', '=', featureName)
    .where('environment', '=', environment)
    .execute();
}

/** No lease is in force on these flags any more. */
export async function putNoneInForce(tx: Tx, featureNames: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('feature_environments')
    .set({ lease_id: null })
    .where('feature_name', 'in', featureNames)
    .where('lease_id', 'is not', null)
    .execute();
}

/** What holds a flag in an environment, beside what is configured there. */
export interface Held {
  readonly lease: Lease;
  readonly configuredOn: boolean;
}

/** The leases in force in these environments, by {@link placeKey}. One statement. */
export async function leasesInForce(db: Db, environments: readonly string[]): Promise<ReadonlyMap<string, Held>> {
  const rows = await selectLeases(db)
    .innerJoin('feature_environments as e', 'e.lease_id', 'l.id')
    .where('e.environment', 'in', environments)
    .select('e.enabled as configured')
    .execute();
  const held = rows.flatMap((row) => {
    const lease = toLease(row);
    return lease === null ? [] : [[placeKey(lease), { lease, configuredOn: row.configured === 1 }] as const];
  });
  return new Map(held);
}

/** Names a flag in an environment in one text. */
export function placeKey({ featureName, environment }: Place): string {
  return `${environment}/${featureName}`;
}

/** Leases on flags of a project, the newest first, and how many there are in all. Two statements. */
export async function leasesOfProject(
  db: Db,
  project: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly leases: ListedLease[]; readonly total: number }> {
  const [rows, count] = await Promise.all([
    selectListed(db).where('f.project', '=', project).orderBy('l.id', 'desc').offset(offset).limit(limit).execute(),
    db
      .selectFrom('feature_leases as l')
      .innerJoin('features as f', 'f.name', 'l.feature_name')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('f.project', '=', project)
      .executeTakeFirstOrThrow(),
  ]);
  return { leases: rows.flatMap(toListed), total: Number(count.n) };
}

/** Leases on a flag, or that one, the newest first. */
export async function listLeases(db: Db, featureName: string, id?: number): Promise<ListedLease[]> {
  let query = selectListed(db).where('l.feature_name', '=', featureName);
  if (id !== undefined) query = query.where('l.id', '=', id);
  return (await query.orderBy('l.id', 'desc').execute()).flatMap(toListed);
}

function selectLeases(db: Db) {
  return db.selectFrom('feature_leases as l').select(['l.feature_name', 'l.environment', ...leaseColumns]);
}

function selectListed(db: Db) {
  return selectLeases(db)
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .innerJoin('feature_environments as e', (join) =>
      join.onRef('e.feature_name', '=', 'l.feature_name').onRef('e.environment', '=', 'l.environment'),
    )
    .select(['f.project', 'e.lease_id as in_force']);
}

function toListed(row: Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]): ListedLease[] {
  const lease = toLease(row);
  return lease === null ? [] : [{ ...lease, project: row.project, inForce: row.in_force === lease.id }];
}
