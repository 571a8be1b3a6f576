import { maySkipReview, reviewedIn, skipReviewPermission } from '#features/flags/change-control/index.ts';
import type { Hold, Holder } from '#features/flags/held-state/index.ts';
import { permissionProblem } from '#http/permission.ts';
import type { Actor, Author, PermissionScope } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import type { HoldRequest } from './hold.ts';

const holdPermission = 'UPDATE_FEATURE_ENVIRONMENT';
const lowerPermission = 'LOWER_EXPOSURE';
const overridePermission = 'OVERRIDE_AUTOMATION';

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
 * Rejects with 403 when the author may not end or weaken a person's hold. The holder may, also with LOWER_EXPOSURE
 * alone. Where changes are reviewed, only the holder and callers who may skip review there may: otherwise an Editor
 * could turn on what an engineer on call has just turned off. Everyone who may switch the flag or override automation
 * may end the hold of a run.
 */
export async function requireMayEnd(tx: Tx, project: string, { holder, environment }: Hold): Promise<void> {
  if (holder.kind !== 'person') return;
  const mayHold = tx.by.can?.(holdPermission, { project, environment }) === true;
  if (isHolder(tx.by.actor, holder) && (mayHold || mayLower(tx.by, { project, environment }))) return;
  if (!mayHold) throw permissionProblem([holdPermission], `in ${environment} to end the hold of a person`);
  if (maySkipReview(tx.by, { project, environment })) return;
  if (!(await reviewedIn(tx.db, project)).has(environment)) return;
  const message = `Changes in ${environment} are reviewed, and ${holder.name} holds this flag there. Only ${holder.name} and people with the permission ${skipReviewPermission} there can release, shorten or replace this hold.`;
  throw new Problem('PermissionError', message, {
    details: [{ message }],
    extras: { permissions: [skipReviewPermission] },
  });
}

/** Rejects with 403 when the author may not release a hold of automation or of a person, see {@link requireMayEnd}. */
export async function requireMayRelease(tx: Tx, project: string, hold: Hold): Promise<void> {
  const place = { project, environment: hold.environment };
  const isAutomation = hold.holder.kind !== 'person';
  const needed = [holdPermission, overridePermission];
  if (isAutomation && !needed.some((permission) => tx.by.can?.(permission, place) === true))
    throw permissionProblem(needed, `in ${hold.environment} to release a hold of automation`);
  await requireMayEnd(tx, project, hold);
}

const lowering: Readonly<Record<HoldRequest['effect'], boolean>> = {
  off: true,
  milestone: true,
  // Both turn on a flag that is switched off during the hold.
  rollout: false,
  on: false,
};

/** Returns whether a hold serves a flag to no more users than without it, also when the configuration changes later. */
export function lowers({ effect }: Pick<HoldRequest, 'effect'>): boolean {
  return lowering[effect];
}

/**
 * Returns whether the caller may hold a flag only where no user gets it because of the hold. Rejects with 403 a caller
 * who may only lower and asks for another effect than off or a milestone, and with 400 without an end and a reason.
 */
export function requireMayHold(
  caller: Identity,
  place: PermissionScope,
  { effect, reason, expiresAt }: Pick<HoldRequest, 'effect' | 'reason' | 'expiresAt'>,
): boolean {
  if (caller.can(holdPermission, place)) return false;
  if (!lowers({ effect }))
    throw permissionProblem([holdPermission], `in ${place.environment} to hold a flag on or at a percentage`);
  for (const [field, value] of Object.entries({ reason, expiresAt }))
    if (value == null) throw badField(field, `must be given by callers without the permission ${holdPermission}`);
  return true;
}

/** Returns whether an author may hold a flag off or at an earlier milestone. */
function mayLower({ can }: Pick<Author, 'can'>, place: PermissionScope): boolean {
  return can?.(lowerPermission, place) === true;
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
