import { badField, Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import { unknownAccounts } from '../access/index.ts';
import { statesIn } from '../flags/index.ts';
import { applyChanges, type ChangeLimits } from './apply.ts';
import { conflictOf, readPresent } from './conflicts.ts';
import { type RequestRef, requireOwn, requireRequest } from './finding.ts';
import { isApproved, missingApprovals, requireMayApply, requireMayApprove, reviewOf } from './judging.ts';
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
import * as store from './write-store.ts';

/** What is wanted of a request. */
export interface Wish {
  readonly state: 'In review' | 'Approved' | 'Rejected' | 'Scheduled' | 'Applied' | 'Cancelled';
  readonly comment?: string | undefined;
  /** Milliseconds UTC. */
  readonly scheduledAt?: number | undefined;
}

/** Brings a request into a state, if its author may do that from the state it is in. */
export async function changeState(tx: Tx, limits: ChangeLimits, ref: RequestRef, wish: Wish): Promise<void> {
  switch (wish.state) {
    case 'In review':
      await sendToReview(tx, ref);
      break;
    case 'Approved':
      await approve(tx, ref);
      break;
    case 'Rejected':
      await reject(tx, ref);
      break;
    case 'Scheduled':
      await schedule(tx, ref, wish.scheduledAt);
      break;
    case 'Applied':
      await apply(tx, limits, ref);
      break;
    case 'Cancelled':
      await cancel(tx, ref);
      break;
  }
  if (wish.comment !== undefined) await addComment(tx, ref, wish.comment);
}

/** Says something about a request. */
export async function addComment(tx: Tx, ref: RequestRef, text: string): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  await store.insertComment(tx, request.id, text);
  recordOf(tx, request, 'change-request-commented', { data: { text } });
}

/** Sets who is asked to approve a request. 400 for an account that there is not. */
export async function setApprovers(tx: Tx, ref: RequestRef, reviewers: readonly number[]): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  const wanted = [...new Set(reviewers)].toSorted((a, b) => a - b);
  const unknown = await unknownAccounts(tx.db, wanted);
  if (unknown.length > 0) throw badField('reviewers', `name ${unknown.join(', ')}, which does not exist`);
  if (JSON.stringify(wanted) === JSON.stringify(request.approvers)) return;
  await store.putApprovers(tx, request.id, wanted);
  const [preData, data] = [{ reviewers: request.approvers }, { reviewers: wanted }];
  recordOf(tx, request, 'change-request-requested-approvers-updated', { preData, data });
}

async function sendToReview(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  requireState(request, 'Draft');
  recordOf(tx, request, 'change-request-sent-to-review');
  const reviewed = await reviewOf(tx.db, [request]);
  if (!isApproved(reviewed, request)) return store.putState(tx, request, 'In review');
  // Nobody need look at it.
  await store.putState(tx, request, 'Approved');
  recordOf(tx, request, 'change-request-approved');
}

async function approve(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  const reviewed = await reviewOf(tx.db, [request]);
  requireMayApprove(reviewed, request, canOf(tx));
  if (isSame(request.by, tx.by.actor)) {
    throw new Problem('OperationDeniedError', 'Nobody approves the changes that they asked for themselves.');
  }
  requireState(request, 'In review');
  if (approvalsOf(request).some(({ by }) => isSame(by, tx.by.actor))) return;
  await store.putReview(tx, request.id, true);
  recordOf(tx, request, 'change-request-approval-added');
  const added = { approved: true, by: tx.by.actor, at: tx.now };
  if (!isApproved(reviewed, { ...request, reviews: [...request.reviews, added] })) return;
  await store.putState(tx, request, 'Approved');
  recordOf(tx, request, 'change-request-approved');
}

async function reject(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  requireMayApprove(await reviewOf(tx.db, [request]), request, canOf(tx));
  requireState(request, 'In review', 'Approved', 'Scheduled');
  await store.putReview(tx, request.id, false);
  await store.putState(tx, request, 'Rejected');
  recordOf(tx, request, 'change-request-rejected');
}

async function cancel(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  if (!isSame(request.by, tx.by.actor) && !canOf(tx)('ADMIN')) {
    const whom = `${request.by.name}, who made the change request, and administrators`;
    throw new Problem('OperationDeniedError', `Only ${whom} may cancel it.`);
  }
  requireState(request, ...openStates);
  await store.putState(tx, request, 'Cancelled');
  recordOf(tx, request, 'change-request-cancelled');
}

async function schedule(tx: Tx, ref: RequestRef, at: number | undefined): Promise<void> {
  if (at === undefined) throw badField('scheduledAt', 'must say when the changes are to be made');
  if (at <= tx.now) throw badField('scheduledAt', 'must be a time to come');
  const request = await requireReady(tx, ref);
  const planned: Schedule = { at, by: tx.by.actor, status: 'pending', reason: null };
  await store.putState(tx, request, 'Scheduled', planned);
  const before = request.schedule === null ? {} : { preData: scheduleData(request.schedule) };
  recordOf(tx, request, 'change-request-scheduled', { ...before, data: scheduleData(planned) });
}

async function apply(tx: Tx, limits: ChangeLimits, ref: RequestRef): Promise<void> {
  await applyRequest(tx, limits, await requireReady(tx, ref));
}

/** Makes all changes of a request that is ready for it, or throws. Their events belong to the request. */
export async function applyRequest(tx: Tx, limits: ChangeLimits, request: ChangeRequest): Promise<void> {
  tx.joinGroup({ type: 'change-request', id: String(request.id) });
  await keepStates(tx, request);
  const doings = request.changes.map(({ doing }) => doing);
  await applyChanges(tx, limits, request, doings, 'changes.');
  await store.putState(tx, request, 'Applied');
  recordOf(tx, request, 'change-request-applied');
}

/** Notes which flags were on before the changes of a request switch them. What other changes replace was noted when they were asked for. */
async function keepStates(tx: Tx, { environment, changes }: ChangeRequest): Promise<void> {
  const switches = changes.flatMap(({ id, doing }) =>
    doing.action === 'updateEnabled' ? [{ id, doing, feature: doing.feature }] : [],
  );
  if (switches.length === 0) return;
  const names = switches.map(({ feature }) => feature);
  const states = await statesIn(tx.db, environment, names);
  for (const { id, doing, feature } of switches) {
    await store.updateChange(tx, id, doing, JSON.stringify({ enabled: states.get(feature) ?? false }));
  }
}

/** The request, if it is approved, its changes can be made as things are, and whoever asks may do that. */
async function requireReady(tx: Tx, ref: RequestRef): Promise<ChangeRequest> {
  const request = await requireRequest(tx.db, ref, tx.by.actor);
  const reviewed = await reviewOf(tx.db, [request]);
  requireMayApply(reviewed, request, canOf(tx));
  requireState(request, 'Approved', 'Scheduled');
  const lacking = await missingApprovals(tx.db, reviewed, request);
  if (lacking !== undefined) {
    throw new Problem('ConflictError', `The change request ${request.id} cannot be applied. ${lacking}`);
  }
  await requireNoConflict(tx, request);
  return request;
}

/** A 409 that names the changes that cannot be made any more as they were asked for. */
export async function requireNoConflict(tx: Tx, request: ChangeRequest): Promise<void> {
  const present = await readPresent(
    tx.db,
    request.changes.map(({ doing }) => doing),
  );
  const conflicts = request.changes.flatMap((change, index) => {
    const message = conflictOf(present, request, change);
    return message === undefined ? [] : [{ message, path: `changes.${index}`, changeId: change.id }];
  });
  if (conflicts.length === 0) return;
  const list = conflicts.map(({ message }) => message).join(' ');
  throw new Problem('ConflictError', `The change request ${request.id} is in conflict: ${list}`, {
    details: conflicts,
  });
}

function canOf(tx: Tx) {
  return tx.by.can ?? (() => false);
}
