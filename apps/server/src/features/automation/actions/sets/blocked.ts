import { type Account, actorOf, findAccounts, readAccessRights } from '#features/people/access/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { isoTime } from '#kernel/clock.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { ActionSet } from './action-set.ts';
import { findMissingPermission } from './check.ts';
import { enabledSets } from './store.ts';

/** A set that cannot run. */
interface Blocked {
  readonly actionSetId: number;
  readonly name: string;
  readonly project: string;
  /** The missing right, and what to do. */
  readonly reason: string;
}

/** A set that is recorded as blocked since a time, in milliseconds UTC. */
export interface BlockedSet extends Blocked {
  readonly blockedSince: number;
}

/** Returns the blocked sets of these projects, or of all, the longest blocked first. */
export async function listBlockedSets(
  db: Db,
  { projects, limit }: { readonly projects: readonly string[] | undefined; readonly limit?: number },
): Promise<BlockedSet[]> {
  if (projects?.length === 0) return [];
  let query = db.selectFrom('blocked_action_sets').selectAll().orderBy('blocked_since').orderBy('action_set_id');
  if (projects !== undefined) query = query.where('project', 'in', projects);
  if (limit !== undefined) query = query.limit(limit);
  const rows = await query.execute();
  return rows.map(({ action_set_id: actionSetId, blocked_since: blockedSince, ...row }) => ({
    ...row,
    actionSetId,
    blockedSince,
  }));
}

/**
 * Records, in the transaction of a change of access rights or of action sets, which enabled sets can no longer run
 * because their service account is gone or lacks a permission, and which can run again. Shadow sets change nothing, and
 * are left out.
 */
export const noteBlockedSets: BeforeCommit = async (_change, { events }) =>
  events.some((event) => touches(event, 'access-rights') || touches(event, 'action-sets')) ? noteBlocked : undefined;

async function noteBlocked(tx: Tx): Promise<void> {
  const sets = await enabledSets(tx.db);
  const known = await listBlockedSets(tx.db, { projects: undefined });
  const blocked = await blockedAmong(tx.db, sets);
  for (const now of blocked.values()) {
    const before = known.find(({ actionSetId }) => actionSetId === now.actionSetId);
    if (before === undefined) await begin(tx, now);
    else if (before.name !== now.name || before.reason !== now.reason) await update(tx, now);
  }
  for (const { actionSetId, name, project, blockedSince } of known) {
    if (blocked.has(actionSetId)) continue;
    const isEnabled = sets.some(({ id }) => id === actionSetId);
    await tx.db.deleteFrom('blocked_action_sets').where('action_set_id', '=', actionSetId).execute();
    const reason = isEnabled
      ? 'The service account may do all that the set needs.'
      : 'The set was disabled or deleted.';
    const data = { actionSetId, name, reason, blockedSince: isoTime(blockedSince) };
    tx.record({ type: 'action-set-unblocked', project, data });
  }
}

/** Returns why a set cannot run, and what to do; undefined when its service account may do all that it needs. */
export async function whyBlocked(db: Db, set: ActionSet): Promise<string | undefined> {
  const [blocked] = (await blockedAmong(db, [set])).values();
  return blocked?.reason;
}

/**
 * Records that a set is blocked, if it is and no event of a change of access rights has shown it. Called for failed
 * runs.
 */
export async function noteBlockedSet(tx: Tx, set: ActionSet): Promise<void> {
  const [blocked] = (await blockedAmong(tx.db, [set])).values();
  if (blocked === undefined) return;
  const known = await tx.db
    .selectFrom('blocked_action_sets')
    .select('action_set_id')
    .where('action_set_id', '=', set.id)
    .executeTakeFirst();
  if (known === undefined) await begin(tx, blocked);
}

async function begin(tx: Tx, { actionSetId, name, project, reason }: Blocked): Promise<void> {
  await tx.db
    .insertInto('blocked_action_sets')
    .values({ action_set_id: actionSetId, name, project, reason, blocked_since: tx.now })
    .execute();
  const data = { actionSetId, name, reason, blockedSince: isoTime(tx.now) };
  tx.record({ type: 'action-set-blocked', outcome: 'failure', project, data });
}

/** Updates the name and the reason of a blocked set. The reason changes when the set lacks another permission. */
async function update(tx: Tx, { actionSetId, name, reason }: Blocked): Promise<void> {
  await tx.db
    .updateTable('blocked_action_sets')
    .set({ name, reason })
    .where('action_set_id', '=', actionSetId)
    .execute();
}

async function blockedAmong(db: Db, sets: readonly ActionSet[]): Promise<Map<number, Blocked>> {
  const acting = sets.filter(({ shadow }) => !shadow);
  const blocked = new Map<number, Blocked>();
  for (const [actorId, ofActor] of Map.groupBy(acting, (set) => set.actorId)) {
    const [account] = await findAccounts(db, [actorId]);
    const rights = await readAccessRights(db, actorId);
    for (const set of ofActor) {
      const reason = reasonOf(account, findMissingPermission(set, rights));
      const { id: actionSetId, name, project } = set;
      if (reason !== undefined) blocked.set(actionSetId, { actionSetId, name, project, reason });
    }
  }
  return blocked;
}

function reasonOf(account: Account | undefined, missing: string | undefined): string | undefined {
  if (account?.kind !== 'service-account')
    return 'The service account was deleted. Choose another service account for the action.';
  if (missing === undefined) return undefined;
  return `The service account ${actorOf(account).name} lacks the permission ${missing}. Give it a role with this permission, or choose another service account for the action.`;
}
