import { type Hold, holdColumns, inForce, milestoneText, toHold } from '#features/flags/held-state/index.ts';
import type { Cause } from '#kernel/actor.ts';
import { chunksOf } from '#kernel/lists.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Db, Tx } from '#storage/tx.ts';
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

/** Returns the flags that runs hold under keys, with the key of each hold. */
export async function heldUnder(db: Db, keys: readonly string[]): Promise<(Place & { readonly key: string })[]> {
  const held: (Place & { readonly key: string })[] = [];
  for (const part of chunksOf([...new Set(keys)])) {
    const rows = await db
      .selectFrom('feature_leases')
      .select(['feature_name as featureName', 'environment', 'holder_key as key'])
      .where('holder_kind', '=', 'run')
      .where('holder_key', 'in', part)
      .execute();
    held.push(...rows);
  }
  return held;
}

type Due = { readonly at: number; readonly id: number } & Place;

/** Returns the hold with the earliest expiry, past or future, that is not stopped; undefined when none expires. */
export function nextExpiry(db: Db, isStopped: (place: Place) => boolean): Promise<Due | undefined> {
  return firstNotStopped(selectDue(db, 'expires_at').where('on_expiry', '=', 'release'), isStopped);
}

/** Returns the hold of a run that goes further down first, and that is not stopped; undefined when none does. */
export function nextStepDown(db: Db, isStopped: (place: Place) => boolean): Promise<Due | undefined> {
  return firstNotStopped(selectDue(db, 'steps_down_at').where('holder_kind', '=', 'run'), isStopped);
}

function selectDue(db: Db, column: 'expires_at' | 'steps_down_at') {
  return db
    .selectFrom('feature_leases')
    .select(['id', 'feature_name as featureName', 'environment', `${column} as at`])
    .where(column, 'is not', null)
    .orderBy(column)
    .orderBy('id');
}

/** The number of holds that are read at once to find the next. */
const dueAtOnce = 100;

async function firstNotStopped(
  query: ReturnType<typeof selectDue>,
  isStopped: (place: Place) => boolean,
): Promise<Due | undefined> {
  for (let offset = 0; ; offset += dueAtOnce) {
    const rows = await query.offset(offset).limit(dueAtOnce).execute();
    const next = rows.find((row) => !isStopped(row));
    if (next !== undefined) return { ...next, at: next.at ?? 0 };
    if (rows.length < dueAtOnce) return undefined;
  }
}

/** Returns the hold whose end is to be announced first, and when; undefined when there is none. */
export async function nextAnnouncement(
  db: Db,
): Promise<({ readonly at: number; readonly id: number } & Place) | undefined> {
  const row = await db
    .selectFrom('feature_leases')
    .select(['id', 'feature_name', 'environment', 'announce_at'])
    .where('announce_at', 'is not', null)
    .orderBy('announce_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (row?.announce_at == null) return undefined;
  return { at: row.announce_at, id: row.id, featureName: row.feature_name, environment: row.environment };
}

/** Marks the end of a hold as announced. Returns false when it is announced already, or not yet to be announced. */
export async function markAnnounced(tx: Tx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('feature_leases')
    .set({ announce_at: null })
    .where('id', '=', id)
    .where('announce_at', '<=', tx.now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
      milestone: milestoneText(hold.milestone),
      for_everyone: Number(hold.forEveryone),
      holder_kind: hold.holder.kind,
      holder_key: hold.holder.key,
      run_id: hold.holder.runId,
      action_set_id: hold.holder.actionSetId,
      reason: hold.reason,
      placed_by_user_id: hold.holder.userId,
      placed_by: hold.holder.name,
      placed_at: hold.placedAt,
      expires_at: hold.expiresAt,
      renewed_by_run_id: hold.renewedByRunId,
      announce_at: announceAt(tx, hold),
      on_expiry: hold.onExpiry,
      ...alertColumns(hold),
      ...paceColumns(hold),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function paceColumns({ stepsDownAt, restsUntil }: Pick<Hold, 'stepsDownAt' | 'restsUntil'>) {
  return { steps_down_at: stepsDownAt, rests_until: restsUntil };
}

function alertColumns({ alert }: Pick<Hold, 'alert'>) {
  return { alert_condition: alert?.condition ?? null, alert_at: alert?.occurredAt ?? null };
}

/** The holds with one effect. */
export interface HoldCount {
  readonly effect: string;
  readonly count: number;
  /** When the oldest was placed, in milliseconds UTC. */
  readonly oldestAt: number;
}

/** Counts the holds of all projects by effect. */
export async function countHolds(db: Db): Promise<HoldCount[]> {
  const rows = await db
    .selectFrom('feature_leases')
    .select((eb) => ['effect', eb.fn.countAll<number>().as('n'), eb.fn.min('placed_at').as('oldest')])
    .groupBy('effect')
    .execute();
  return rows.map(({ effect, n, oldest }) => ({ effect, count: Number(n), oldestAt: Number(oldest) }));
}

/** The time between the announcement of the end of a hold and its end. */
const announcedMs = 10 * 60 * 1000;

/**
 * Returns when the end of a hold is announced; null when it ends too soon for that, or never. The end of a hold that
 * stays until a person releases it is always announced.
 */
function announceAt({ now }: Tx, { expiresAt, onExpiry }: Pick<Hold, 'expiresAt' | 'onExpiry'>): number | null {
  if (expiresAt === null) return null;
  if (expiresAt - announcedMs > now) return expiresAt - announcedMs;
  return onExpiry === 'keep' ? expiresAt : null;
}

/** Updates the effect, reason, expiry and set of a hold; who placed it and when stays. */
export async function updateHold(tx: Tx, before: Hold, hold: Hold): Promise<void> {
  const { id, effect, rollout, forEveryone, reason, expiresAt, onExpiry, holder } = hold;
  await tx.db
    .updateTable('feature_leases')
    .set({ effect, rollout, for_everyone: Number(forEveryone), reason, expires_at: expiresAt })
    .set({ milestone: milestoneText(hold.milestone), on_expiry: onExpiry })
    .set({ action_set_id: holder.actionSetId, renewed_by_run_id: hold.renewedByRunId, ...alertColumns(hold) })
    .set(paceColumns(hold))
    // A hold whose end has been announced is announced again only when it ends at another time.
    .$if(before.expiresAt !== expiresAt || before.onExpiry !== onExpiry, (query) =>
      query.set({ announce_at: announceAt(tx, hold) }),
    )
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
export const setInForce = prepared<{ featureName: string; environment: string; id: number | null }>().change(
  (db, { featureName, environment, id }) =>
    db
      .updateTable('feature_environments')
      .set({ lease_id: id })
      .where('feature_name', '=', featureName)
      .where('environment', '=', environment),
);

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

/** A listed hold, with the configured state of its flag and the hold that is in force after its release. */
export interface HeldFlag extends ListedHold {
  readonly configuredOn: boolean;
  /** The hold in force once this one is released. */
  readonly afterRelease: Hold | undefined;
}

/** Lists a page of the holds on flags of all projects but `hidden` ones, newest first, and their total. */
export async function holdsOutside(
  db: Db,
  hidden: ReadonlySet<string>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly holds: HeldFlag[]; readonly total: number }> {
  let listed = selectListed(db).select('e.enabled as configured');
  let counted = db
    .selectFrom('feature_leases as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .select((eb) => eb.fn.countAll<number>().as('n'));
  if (hidden.size > 0) {
    listed = listed.where('f.project', 'not in', [...hidden]);
    counted = counted.where('f.project', 'not in', [...hidden]);
  }
  const [rows, count] = await Promise.all([
    listed.orderBy('l.id', 'desc').offset(offset).limit(limit).execute(),
    counted.executeTakeFirstOrThrow(),
  ]);
  const all = Map.groupBy(await holdsOn(db, [...new Set(rows.map((row) => row.feature_name))]), placeKey);
  const holds = rows.flatMap((row) =>
    toListed(row).map((hold) => {
      const others = (all.get(placeKey(hold)) ?? []).filter(({ id }) => id !== hold.id);
      return { ...hold, configuredOn: row.configured === 1, afterRelease: inForce(others) };
    }),
  );
  return { holds, total: Number(count.n) };
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
    .leftJoin('action_sets as s', 's.id', 'l.action_set_id')
    .select(['f.project', 'e.lease_id as in_force', 's.name as action_set_name']);
}

function toListed(row: Awaited<ReturnType<ReturnType<typeof selectListed>['execute']>>[number]): ListedHold[] {
  const hold = toHold(row);
  if (hold === null) return [];
  const { project, action_set_name: actionSetName, in_force } = row;
  return [{ ...hold, project, actionSetName, inForce: in_force === hold.id }];
}
