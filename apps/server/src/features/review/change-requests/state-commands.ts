import { type ReviewPolicy, secondPersonProblem } from '#features/flags/change-control/index.ts';
import { statesIn } from '#features/flags/states/index.ts';
import { unknownAccounts } from '#features/people/access/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { requireFuture } from '#kernel/future.ts';
import type { Tx } from '#storage/tx.ts';
import { applyChanges, type ChangeLimits } from './apply.ts';
import { conflictOf, readCurrentState } from './conflicts.ts';
import {
  approvalsOf,
  type ChangeRequest,
  isSame,
  openStates,
  recordOf,
  requireState,
  type Schedule,
  scheduleData,
} from './request.ts';
import { type RequestRef, requireOwn, requireRequest } from './require-request.ts';
import { approvalProblem, isApproved, readReviewRules, requireMayApply, requireMayApprove } from './review-rules.ts';
import * as store from './write-store.ts';

/** The requested state of a change request. */
export interface StateChange {
  readonly state: 'In review' | 'Approved' | 'Rejected' | 'Scheduled' | 'Applied' | 'Cancelled';
  readonly comment?: string | undefined;
  /** Milliseconds UTC. */
  readonly scheduledAt?: number | undefined;
}

/** Moves a request to a state. Rejects with 403 or 409 when the caller or the current state does not allow it. */
export async function changeState(
  tx: Tx,
  limits: ChangeLimits,
  ref: RequestRef,
  stateChange: StateChange,
): Promise<void> {
  switch (stateChange.state) {
    case 'In review':
      await sendToReview(tx, ref);
      break;
    case 'Approved':
      await approve(tx, limits.review, ref);
      break;
    case 'Rejected':
      await reject(tx, ref);
      break;
    case 'Scheduled':
      await schedule(tx, limits.review, ref, stateChange.scheduledAt);
      break;
    case 'Applied':
      await apply(tx, limits, ref);
      break;
    case 'Cancelled':
      await cancel(tx, ref);
      break;
  }
  if (stateChange.comment !== undefined) await addComment(tx, ref, stateChange.comment);
}

export async function addComment(tx: Tx, ref: RequestRef, text: string): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  await store.insertComment(tx, request.id, text);
  recordOf(tx, request, 'change-request-commented', { data: { text } });
}

/** Sets the requested approvers of a change request. Rejects with 400 for an unknown account. */
export async function setApprovers(tx: Tx, ref: RequestRef, reviewers: readonly number[]): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  const desired = [...new Set(reviewers)].toSorted((a, b) => a - b);
  const unknown = await unknownAccounts(tx.db, desired);
  if (unknown.length > 0) throw badField('reviewers', `contains unknown accounts: ${unknown.join(', ')}`);
  if (JSON.stringify(desired) === JSON.stringify(request.approvers)) return;
  await store.putApprovers(tx, request.id, desired);
  const [preData, data] = [{ reviewers: request.approvers }, { reviewers: desired }];
  recordOf(tx, request, 'change-request-requested-approvers-updated', { preData, data });
}

async function sendToReview(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  requireState(request, 'Draft');
  recordOf(tx, request, 'change-request-sent-to-review');
  const rules = await readReviewRules(tx.db, [request]);
  if (!isApproved(rules, request)) return store.putState(tx, request, 'In review');
  // No approval is required.
  await store.putState(tx, request, 'Approved');
  recordOf(tx, request, 'change-request-approved');
}

async function approve(tx: Tx, { binding }: ReviewPolicy, ref: RequestRef): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  const rules = await readReviewRules(tx.db, [request]);
  requireMayApprove(rules, request, canOf(tx));
  if (isSame(request.by, tx.by.actor)) {
    throw new Problem('OperationDeniedError', 'You cannot approve your own change request.');
  }
  const problem = binding ? await secondPersonProblem(tx.db, tx.by.actor, request, tx.now) : undefined;
  if (problem !== undefined) throw new Problem('OperationDeniedError', problem);
  requireState(request, 'In review');
  // A repeated approval is counted once, but fewer approvals than at the first time may be needed now.
  const isRepeated = approvalsOf(request).some(({ by }) => isSame(by, tx.by.actor));
  if (!isRepeated) {
    await store.putReview(tx, request.id, true);
    recordOf(tx, request, 'change-request-approval-added');
  }
  const added = isRepeated ? [] : [{ approved: true, by: tx.by.actor, at: tx.now }];
  if (!isApproved(rules, { ...request, reviews: [...request.reviews, ...added] })) return;
  await store.putState(tx, request, 'Approved');
  recordOf(tx, request, 'change-request-approved');
}

async function reject(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  requireMayApprove(await readReviewRules(tx.db, [request]), request, canOf(tx));
  requireState(request, 'In review', 'Approved', 'Scheduled');
  await store.putReview(tx, request.id, false);
  await store.putState(tx, request, 'Rejected');
  recordOf(tx, request, 'change-request-rejected');
}

async function cancel(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  if (!isSame(request.by, tx.by.actor) && !canOf(tx)('ADMIN')) {
    const allowed = `the author of the change request, ${request.by.name}, and administrators`;
    throw new Problem('OperationDeniedError', `Only ${allowed} may cancel it.`);
  }
  requireState(request, ...openStates);
  await store.putState(tx, request, 'Cancelled');
  recordOf(tx, request, 'change-request-cancelled');
}

async function schedule(tx: Tx, review: ReviewPolicy, ref: RequestRef, at: number | undefined): Promise<void> {
  if (at === undefined) throw badField('scheduledAt', 'is required to schedule a change request');
  requireFuture('scheduledAt', at, tx.now);
  const request = await requireApplicable(tx, review, ref);
  const before = request.schedule;
  if (before?.status === 'pending' && before.at === at && isSame(before.by, tx.by.actor)) return;
  const planned: Schedule = { at, by: tx.by.actor, status: 'pending', reason: null };
  await store.putState(tx, request, 'Scheduled', planned);
  const replaced = before === null ? {} : { preData: scheduleData(before) };
  recordOf(tx, request, 'change-request-scheduled', { ...replaced, data: scheduleData(planned) });
}

async function apply(tx: Tx, limits: ChangeLimits, ref: RequestRef): Promise<void> {
  await applyRequest(tx, limits, await requireApplicable(tx, limits.review, ref));
}

/** Applies all changes of a request. Their events join the event group of the request. */
export async function applyRequest(tx: Tx, limits: ChangeLimits, request: ChangeRequest): Promise<void> {
  tx.joinGroup({ type: 'change-request', id: String(request.id) });
  await storeReplacedStates(tx, request);
  const operations = request.changes.map(({ operation }) => operation);
  await applyChanges(tx, limits, request, operations, 'changes.');
  await store.putState(tx, request, 'Applied');
  recordOf(tx, request, 'change-request-applied');
}

/** Stores whether flags were on before the request switches them. Other changes stored their base when requested. */
async function storeReplacedStates(tx: Tx, { environment, changes }: ChangeRequest): Promise<void> {
  const switches = changes.flatMap(({ id, operation }) =>
    operation.action === 'updateEnabled' ? [{ id, operation, feature: operation.feature }] : [],
  );
  if (switches.length === 0) return;
  const names = switches.map(({ feature }) => feature);
  const states = await statesIn(tx.db, environment, names);
  for (const { id, operation, feature } of switches) {
    await store.updateChange(tx, id, operation, JSON.stringify({ enabled: states.get(feature) ?? false }));
  }
}

/** Returns the request. Rejects unless it is approved, free of conflicts, and the caller may apply it. */
async function requireApplicable(tx: Tx, review: ReviewPolicy, ref: RequestRef): Promise<ChangeRequest> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  const rules = await readReviewRules(tx.db, [request]);
  requireMayApply(rules, request, canOf(tx));
  requireState(request, 'Approved', 'Scheduled');
  const problem = await approvalProblem(tx, rules, request, review);
  if (problem !== undefined) {
    throw new Problem('ConflictError', `The change request ${request.id} cannot be applied. ${problem}`);
  }
  await requireNoConflict(tx, request);
  return request;
}

/** Rejects with 409, naming the changes that can no longer be applied as requested. */
export async function requireNoConflict(tx: Tx, request: ChangeRequest): Promise<void> {
  const current = await readCurrentState(
    tx.db,
    request.changes.map(({ operation }) => operation),
  );
  const conflicts = request.changes.flatMap((change, index) => {
    const message = conflictOf(current, request, change);
    return message === undefined ? [] : [{ message, path: `changes.${index}`, changeId: change.id }];
  });
  if (conflicts.length === 0) return;
  const list = conflicts.map(({ message }) => message).join(' ');
  throw new Problem('ConflictError', `The change request ${request.id} has conflicts: ${list}`, {
    details: conflicts,
  });
}

function canOf(tx: Tx) {
  return tx.by.can ?? (() => false);
}
