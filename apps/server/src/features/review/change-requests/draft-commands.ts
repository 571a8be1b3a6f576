import { requireEnvironmentOf } from '#features/flags/change-control/index.ts';
import { requireProjectInUse } from '#features/projects/projects/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { isSameJson } from '#kernel/same-json.ts';
import type { Tx } from '#storage/tx.ts';
import { applyChanges, type ChangeLimits, type Place } from './apply.ts';
import { type Change, flagOf, type Operation, targetOf } from './change.ts';
import { baseOf, readCurrentState } from './conflicts.ts';
import { type ChangeRequest, recordOf } from './request.ts';
import { type RequestRef, requireOwn } from './require-request.ts';
import { isApproved, readReviewRules, requireMayRequest } from './review-rules.ts';
import { findDraft, loadRequests } from './store.ts';
import * as store from './write-store.ts';

/** The maximum number of changes of a request. */
export const maxChanges = 250;

/**
 * Applies the operations to reject those that cannot be applied. Must be called in a dry run, which undoes the changes.
 */
export async function validateChanges(
  tx: Tx,
  limits: ChangeLimits,
  place: Place,
  operations: readonly Operation[],
): Promise<void> {
  await requireProjectInUse(tx.db, place.project);
  await requireEnvironmentOf(tx.db, place.project, place.environment);
  const requested = { ...place, changes: operations.map((operation) => ({ operation })) };
  requireMayRequest(await readReviewRules(tx.db, [requested]), requested, canOf(tx));
  await applyChanges(tx, { ...limits, isTrial: true }, place, operations, '');
}

/**
 * Adds changes to the author's draft in the environment, which is created if missing, and returns its id. A change with
 * the same target as an earlier one replaces it.
 */
export async function addChanges(tx: Tx, place: Place, operations: readonly Operation[]): Promise<number> {
  const existing = await findDraft(tx.db, { ...place, by: tx.by.actor });
  const id = existing ?? (await createRequest(tx, { ...place, state: 'Draft', title: null }));
  await addTo(tx, { id, ...place }, operations);
  return id;
}

/** Creates a request without changes and returns its id. An author has one draft in a place. */
export async function createRequest(
  tx: Tx,
  request: Pick<ChangeRequest, 'project' | 'environment' | 'state' | 'title'>,
): Promise<number> {
  const id = await store.insertRequest(tx, request);
  recordOf(tx, { id, ...request }, 'change-request-created');
  return id;
}

/** Adds changes to a request. A change with the same target as an earlier one replaces it. */
export async function addTo(
  tx: Tx,
  ref: Place & { readonly id: number },
  operations: readonly Operation[],
): Promise<void> {
  const { id } = ref;
  const current = await readCurrentState(tx.db, operations);
  const [draft] = await loadRequests(tx.db, [id]);
  const earlier = new Map(
    draft?.changes
      .filter(({ operation }) => operation.action !== 'addStrategy')
      .map((change) => [targetOf(change.operation), change]),
  );
  let count = draft?.changes.length ?? 0;
  for (const operation of operations) {
    const base = baseOf(current, ref, operation);
    const replaced = earlier.get(targetOf(operation));
    if (replaced !== undefined) {
      await replaceChange(tx, ref, replaced, operation, base);
      earlier.set(targetOf(operation), { ...replaced, operation, base });
      continue;
    }
    if (++count > maxChanges) {
      throw new Problem('ExceedsLimitError', `A change request can hold at most ${maxChanges} changes.`);
    }
    const added = await store.insertChange(tx, id, operation, base);
    if (operation.action !== 'addStrategy') {
      const now = { requestId: id, by: tx.by.actor, at: tx.now };
      earlier.set(targetOf(operation), { id: added, operation, base, ...now });
    }
    const data = { change: changeData(added, operation) };
    recordOf(tx, ref, 'change-added', { featureName: flagOf(operation), data });
  }
}

/**
 * Replaces the payload of a change and restarts the review. Does nothing when the payload and the state it replaces are
 * the same. Rejects with 400 for another action or target.
 */
export async function editChange(tx: Tx, ref: RequestRef, changeId: number, operation: Operation): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  const before = requireSameChange(request, changeId, operation);
  const base = baseOf(await readCurrentState(tx.db, [operation]), request, operation);
  if (await replaceChange(tx, request, before, operation, base)) await restartReview(tx, request);
}

/** Returns the change. Rejects with 400 unless `operation` has the same action and target. */
export function requireSameChange(request: ChangeRequest, changeId: number, operation: Operation): Change {
  const before = requireChange(request, changeId);
  if (before.operation.action !== operation.action)
    throw badField('action', `cannot be changed: it must stay ${before.operation.action}`);
  if (targetOf(before.operation) !== targetOf(operation))
    throw badField('payload', `must have the same target as before: ${targetOf(before.operation)}`);
  return before;
}

/** Removes a change from a request. Removing the last change deletes the request. */
export async function discardChange(tx: Tx, ref: RequestRef, changeId: number): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  const { id, operation } = requireChange(request, changeId);
  await store.deleteChange(tx, id);
  const data = { change: changeData(id, operation) };
  recordOf(tx, request, 'change-discarded', { featureName: flagOf(operation), data });
  if (request.changes.length === 1) return discard(tx, request);
  await restartReview(tx, { ...request, changes: request.changes.filter((change) => change.id !== id) });
}

/** Deletes a draft. Rejects with 409 for a request that was sent to review, which can only be cancelled. */
export async function discardRequest(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  if (request.state !== 'Draft') {
    throw new Problem('ConflictError', `The change request ${request.id} is no longer a draft. Cancel it instead.`);
  }
  await discard(tx, request);
}

/** Sets the title. Records nothing when the title is unchanged. */
export async function setTitle(tx: Tx, ref: RequestRef, title: string): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  if (request.title === title) return;
  await store.putTitle(tx, request.id, title);
  recordOf(tx, request, 'change-request-title-updated', { preData: { title: request.title }, data: { title } });
}

async function discard(tx: Tx, request: ChangeRequest): Promise<void> {
  await store.deleteRequest(tx, request.id);
  recordOf(tx, request, 'change-request-discarded');
}

/** Replaces the payload of a change. Returns false, without an event, when nothing changes. */
async function replaceChange(
  tx: Tx,
  request: Place & { readonly id: number },
  before: Change,
  operation: Operation,
  base: string | null,
): Promise<boolean> {
  const [was, is] = [changeData(before.id, before.operation), changeData(before.id, operation)];
  if (before.base === base && isSameJson(was, is)) return false;
  await store.updateChange(tx, before.id, operation, base);
  const featureName = flagOf(operation);
  recordOf(tx, request, 'change-edited', { featureName, preData: { change: was }, data: { change: is } });
  return true;
}

/** Discards the reviews of a changed request and sets it to "In review", or "Approved" when it needs no approval. */
async function restartReview(tx: Tx, request: ChangeRequest): Promise<void> {
  if (request.state === 'Draft') return;
  await store.deleteReviews(tx, request.id);
  const rules = await readReviewRules(tx.db, [request]);
  const state = isApproved(rules, { ...request, reviews: [] }) ? 'Approved' : 'In review';
  await store.putState(tx, request, state);
}

function requireChange(request: ChangeRequest, changeId: number): Change {
  const change = request.changes.find(({ id }) => id === changeId);
  if (change !== undefined) return change;
  throw new Problem('NotFoundError', `The change request ${request.id} has no change ${changeId}.`);
}

/** Returns the event data of a change. */
function changeData(id: number, operation: Operation) {
  return { id, ...operation, payload: operation.payload ?? null };
}

function canOf(tx: Tx) {
  return tx.by.can ?? (() => false);
}
