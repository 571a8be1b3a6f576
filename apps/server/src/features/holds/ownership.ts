import { permissionProblem } from '../../http/permission.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import { maySkipReview, reviewedIn, skipReviewPermission } from '../change-control/index.ts';
import type { Hold, Holder } from '../flags/index.ts';

const holdPermission = 'UPDATE_FEATURE_ENVIRONMENT';

/**
 * Returns the key of a person's hold: `key`, or the caller's own key when it is absent, so that a repeated request
 * updates the same hold. Rejects with 403 when the key is `user:<id>` of another user.
 */
export function keyOfPerson({ actor: { userId, name } }: Identity, key?: string): string {
  const own = userId > 0 ? `user:${userId}` : name.slice(0, 200);
  if (key === undefined || key === own || !/^user:\d+$/.test(key)) return key ?? own;
  const message = `The key ${key} belongs to another user. Choose another key, or leave it out.`;
  throw new Problem('OperationDeniedError', message, { details: [{ message, path: 'key' }] });
}

/**
 * Rejects with 403 when the author may not end or weaken a person's hold. Where changes are reviewed, only its holder
 * and callers who may skip review there may do so (ADR 30). Everyone who may switch the flag or override automation may
 * end the hold of a run.
 */
export async function requireMayEnd(tx: Tx, project: string, { holder, environment }: Hold): Promise<void> {
  if (holder.kind !== 'person') return;
  if (tx.by.can?.(holdPermission, { project, environment }) !== true)
    throw permissionProblem([holdPermission], `in ${environment} to end the hold of a person`);
  if (isHolder(tx.by.actor, holder)) return;
  if (maySkipReview(tx.by, { project, environment })) return;
  if (!(await reviewedIn(tx.db, project)).has(environment)) return;
  const message = `Changes in ${environment} are reviewed, and ${holder.name} holds this flag there. Only ${holder.name} and people with the permission ${skipReviewPermission} there can release, shorten or replace this hold.`;
  throw new Problem('PermissionError', message, {
    details: [{ message }],
    extras: { permissions: [skipReviewPermission] },
  });
}

/** Returns whether an update changes the effect of a hold or ends the hold earlier. A later end weakens nothing. */
export function isWeakened(before: Hold, after: Hold): boolean {
  if (before.effect !== after.effect || before.rollout !== after.rollout) return true;
  if (before.milestone?.id !== after.milestone?.id) return true;
  return (after.expiresAt ?? Number.POSITIVE_INFINITY) < (before.expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Compares names as well, because all callers without an account share a user id. */
function isHolder({ userId, name }: Actor, holder: Holder): boolean {
  return userId === holder.userId && (userId > 0 || name === holder.name);
}
