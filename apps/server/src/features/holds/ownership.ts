import type { Actor } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import { maySkipReview, reviewedIn, skipReviewPermission } from '../change-control/index.ts';
import type { Holder, Lease } from '../flags/index.ts';

/**
 * Returns the key of a person's lease: `key`, or one for each caller when it is absent, so that a request that is repeated holds once.
 * Rejects with 403 when the key is `user:<id>` of another user.
 */
export function keyOfPerson({ actor: { userId, name } }: Identity, key?: string): string {
  const own = userId > 0 ? `user:${userId}` : name.slice(0, 200);
  if (key === undefined || key === own || !/^user:\d+$/.test(key)) return key ?? own;
  const message = `The key ${key} belongs to another user. Choose another key, or leave it out.`;
  throw new Problem('OperationDeniedError', message, { details: [{ message, path: 'key' }] });
}

/**
 * Rejects with 403 when the author may not end or weaken a lease: where changes are reviewed, a person's lease is for that person and
 * for whoever may skip review there (ADR 30). Leases of runs are for everybody who may switch the flag.
 */
export async function requireMayEnd(tx: Tx, project: string, { holder, environment }: Lease): Promise<void> {
  if (holder.kind !== 'person' || isHolder(tx.by.actor, holder)) return;
  if (maySkipReview(tx.by, { project, environment })) return;
  if (!(await reviewedIn(tx.db, project)).has(environment)) return;
  const message = `Changes in ${environment} are reviewed, and ${holder.name} holds this flag there. Only ${holder.name} and people with the permission ${skipReviewPermission} there can release, shorten or replace this lease.`;
  throw new Problem('PermissionError', message, {
    details: [{ message }],
    extras: { permissions: [skipReviewPermission] },
  });
}

/** Returns whether a lease ends earlier, or has another effect, after a change. A longer one is no loss to its holder. */
export function isWeakened(before: Lease, after: Lease): boolean {
  if (before.effect !== after.effect || before.rollout !== after.rollout) return true;
  return (after.expiresAt ?? Number.POSITIVE_INFINITY) < (before.expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Callers without an account share an id and differ in their names. */
function isHolder({ userId, name }: Actor, holder: Holder): boolean {
  return userId === holder.userId && (userId > 0 || name === holder.name);
}
