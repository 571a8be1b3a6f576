import { badField, Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import { requireEnvironmentOf } from '../change-control/index.ts';
import { requireProjectInUse } from '../projects/index.ts';
import { applyChanges, type ChangeLimits, type Place } from './apply.ts';
import { type Change, type Doing, flagOf, targetOf } from './change.ts';
import { baseOf, readPresent } from './conflicts.ts';
import { type RequestRef, requireOwn } from './finding.ts';
import { isApproved, requireMayAsk, reviewOf } from './judging.ts';
import { type ChangeRequest, recordOf } from './request.ts';
import { findDraft, loadRequests } from './store.ts';
import * as store from './write-store.ts';

const mostChanges = 250;

/** Makes the changes as if they were asked for directly, to see what would be refused. */
export async function tryChanges(tx: Tx, limits: ChangeLimits, place: Place, doings: readonly Doing[]): Promise<void> {
  await requireProjectInUse(tx.db, place.project);
  await requireEnvironmentOf(tx.db, place.project, place.environment);
  const asked = { ...place, changes: doings.map((doing) => ({ doing })) };
  requireMayAsk(await reviewOf(tx.db, [asked]), asked, canOf(tx));
  await applyChanges(tx, limits, place, doings, '');
}

/**
 * Adds changes to the draft that their author has in the environment, or to a new one, and answers its id. A change of
 * what the draft changes already takes the place of the earlier one.
 */
export async function addChanges(tx: Tx, place: Place, doings: readonly Doing[]): Promise<number> {
  const known = await findDraft(tx.db, { ...place, by: tx.by.actor });
  const id = known ?? (await store.insertDraft(tx, place.project, place.environment));
  const about = { id, ...place };
  if (known === undefined) recordOf(tx, about, 'change-request-created');
  const present = await readPresent(tx.db, doings);
  const [draft] = await loadRequests(tx.db, [id]);
  const earlier = new Map(
    draft?.changes.filter(({ doing }) => doing.action !== 'addStrategy').map((one) => [targetOf(one.doing), one]),
  );
  let count = draft?.changes.length ?? 0;
  for (const doing of doings) {
    const base = baseOf(present, place, doing);
    const replaced = earlier.get(targetOf(doing));
    if (replaced !== undefined) {
      await rewrite(tx, about, replaced, doing, base);
      earlier.set(targetOf(doing), { ...replaced, doing });
      continue;
    }
    if (++count > mostChanges) {
      throw new Problem('ExceedsLimitError', `A change request can hold at most ${mostChanges} changes.`);
    }
    const added = await store.insertChange(tx, id, doing, base);
    if (doing.action !== 'addStrategy') {
      const now = { requestId: id, by: tx.by.actor, at: tx.now };
      earlier.set(targetOf(doing), { id: added, doing, base, ...now });
    }
    const data = { change: changeData(added, doing) };
    recordOf(tx, about, 'change-added', { featureName: flagOf(doing), data });
  }
  return id;
}

/** Changes what a change is to do; of another flag, or by another action, it would be another change: 400. */
export async function editChange(tx: Tx, ref: RequestRef, changeId: number, doing: Doing): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  const before = requireSameChange(request, changeId, doing);
  const base = baseOf(await readPresent(tx.db, [doing]), request, doing);
  await rewrite(tx, request, before, doing, base);
  await reopen(tx, request);
}

/** The change, if `doing` is only another way to do it. */
export function requireSameChange(request: ChangeRequest, changeId: number, doing: Doing): Change {
  const before = requireChange(request, changeId);
  if (before.doing.action !== doing.action) throw badField('action', `must stay ${before.doing.action}`);
  if (targetOf(before.doing) !== targetOf(doing)) throw badField('payload', 'must be about what it was about before');
  return before;
}

/** Takes a change out of a request; the last one takes the request with it. */
export async function discardChange(tx: Tx, ref: RequestRef, changeId: number): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  const { id, doing } = requireChange(request, changeId);
  await store.deleteChange(tx, id);
  const data = { change: changeData(id, doing) };
  recordOf(tx, request, 'change-discarded', { featureName: flagOf(doing), data });
  if (request.changes.length === 1) return discard(tx, request);
  await reopen(tx, { ...request, changes: request.changes.filter((one) => one.id !== id) });
}

/** Throws a draft away. 409 for a request that others have seen: that one is cancelled. */
export async function discardRequest(tx: Tx, ref: RequestRef): Promise<void> {
  const request = await requireOwn(tx.db, ref, tx.by.actor);
  if (request.state !== 'Draft') {
    throw new Problem('ConflictError', `The change request ${request.id} is no draft any more. Cancel it instead.`);
  }
  await discard(tx, request);
}

/** Gives a request a title. Nothing is recorded when it has it. */
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

async function rewrite(
  tx: Tx,
  request: Place & { readonly id: number },
  before: Change,
  doing: Doing,
  base: string | null,
): Promise<void> {
  await store.updateChange(tx, before.id, doing, base);
  recordOf(tx, request, 'change-edited', {
    featureName: flagOf(doing),
    preData: { change: changeData(before.id, before.doing) },
    data: { change: changeData(before.id, doing) },
  });
}

/** What was approved is another thing now: it is looked at anew, where anybody need look at it at all. */
async function reopen(tx: Tx, request: ChangeRequest): Promise<void> {
  if (request.state === 'Draft') return;
  await store.deleteReviews(tx, request.id);
  const reviewed = await reviewOf(tx.db, [request]);
  const state = isApproved(reviewed, { ...request, reviews: [] }) ? 'Approved' : 'In review';
  await store.putState(tx, request, state);
}

function requireChange(request: ChangeRequest, changeId: number): Change {
  const change = request.changes.find(({ id }) => id === changeId);
  if (change !== undefined) return change;
  throw new Problem('NotFoundError', `The change request ${request.id} has no change ${changeId}.`);
}

/** A change as the event log keeps it. */
function changeData(id: number, doing: Doing) {
  return { id, ...doing, payload: doing.payload ?? null };
}

function canOf(tx: Tx) {
  return tx.by.can ?? (() => false);
}
