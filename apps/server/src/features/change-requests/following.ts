import type { Db, NewEvent, Tx } from '../../storage/tx.ts';
import type { BeforeCommit } from '../../storage/commit/write.ts';
import { reachOf } from '../change-control/index.ts';
import { canOfActor } from './acting.ts';
import { conflictOf, readPresent } from './conflicts.ts';
import { isApproved, missingApprovals, missingToApply, placeOf, requiredApprovals, reviewOf } from './judging.ts';
import { approvalsOf, type ChangeRequest, openStates, recordOf, type State } from './request.ts';
import { loadRequests, scheduledIds } from './store.ts';
import * as store from './write-store.ts';

/** Events after which somebody may do less. */
const ofStandings =
  /^(role-(updated|deleted)|group-.+|project-(updated|access-.+)|(user|service-account)-updated|api-token-deleted)$/;
/** Events after which more approvals may be needed, or fewer. */
const ofReview = /^(change-request-configuration-updated|project-environment-added)$/;
const ofLeaving = /^(user|service-account)-deleted$/;

/**
 * Keeps open change requests in step with what else happens, as a part of the very change that makes it happen: what can no
 * longer be done as planned is suspended, what has lost its place is cancelled, and what is approved is judged anew when
 * more approvals, or fewer, are needed.
 */
export const followChanges: BeforeCommit = async (tx, { events, group }) => {
  for (const event of events) {
    if (event.type === 'project-environment-removed') await cancelAll(tx, event);
    else if (ofReview.test(event.type)) await judgeAnew(tx, event.project ?? '');
    else if (ofLeaving.test(event.type)) await cancelDrafts(tx, event);
  }
  if (events.some((event) => reachOf(event) !== 'nothing')) await suspendConflicting(tx, events, group?.id);
  if (events.some(({ type }) => ofStandings.test(type) || ofLeaving.test(type))) await suspendForbidden(tx);
};

/** Cancels what is open in an environment that its project loses. */
async function cancelAll(tx: Tx, { project, environment }: NewEvent): Promise<void> {
  const requests = await open(tx.db, (query) =>
    query.where('project', '=', project ?? '').where('environment', '=', environment ?? ''),
  );
  for (const request of requests) await cancel(tx, request);
}

/** Cancels the drafts of an account that is deleted: nobody else sees them. What was sent to review stays for others to decide. */
async function cancelDrafts(tx: Tx, { preData }: NewEvent): Promise<void> {
  const { id } = (preData ?? {}) as { readonly id?: unknown };
  if (typeof id !== 'number') return;
  const drafts = await open(tx.db, (query) => query.where('created_by_user_id', '=', id), ['Draft']);
  for (const draft of drafts) await cancel(tx, draft);
}

async function cancel(tx: Tx, request: ChangeRequest): Promise<void> {
  await store.putState(tx, request, 'Cancelled');
  recordOf(tx, request, 'change-request-cancelled');
}

/** Judges the open requests of a project, and those that change segments, by how many approvals are needed now. */
async function judgeAnew(tx: Tx, project: string): Promise<void> {
  const ofSegments = tx.db
    .selectFrom('change_request_changes')
    .select('request_id')
    .where('action', 'in', ['updateSegment', 'deleteSegment']);
  const requests = await open(
    tx.db,
    (query) => query.where((eb) => eb.or([eb('project', '=', project), eb('id', 'in', ofSegments)])),
    ['In review', 'Approved', 'Scheduled'],
  );
  const reviewed = await reviewOf(tx.db, requests);
  for (const request of requests) {
    const approved = isApproved(reviewed, request);
    if (approved && request.state === 'In review') {
      await store.putState(tx, request, 'Approved');
      recordOf(tx, request, 'change-request-approved');
    } else if (!approved && request.state !== 'In review') {
      await store.putState(tx, request, 'In review');
      if (request.state !== 'Scheduled') continue;
      const reason = `It has ${approvalsOf(request).length} of ${requiredApprovals(reviewed, request)} approvals.`;
      recordOf(tx, request, 'change-request-schedule-suspended', { data: { reason } });
    }
  }
}

/** Suspends the scheduled change requests that conflict with the events, except the change request that caused them. */
async function suspendConflicting(tx: Tx, events: readonly NewEvent[], except: string | undefined): Promise<void> {
  const others = (await scheduledIds(tx.db)).filter((id) => String(id) !== except);
  if (others.length === 0) return;
  const pending = (await loadRequests(tx.db, others)).filter(({ schedule }) => schedule?.status === 'pending');
  const projects = new Set(events.flatMap(({ project, data }) => [project, oldProjectOf(data)]));
  const touched = pending.filter(({ project }) => projects.has(project) || projects.has(null));
  const present = await readPresent(
    tx.db,
    touched.flatMap(({ changes }) => changes.map(({ doing }) => doing)),
  );
  for (const request of touched) {
    const conflict = request.changes.map((change) => conflictOf(present, request, change)).find(Boolean);
    if (conflict !== undefined) await suspend(tx, request, conflict);
  }
}

function oldProjectOf(data: unknown): unknown {
  return (data as { readonly oldProject?: unknown } | undefined)?.oldProject;
}

/** Suspends what is scheduled by somebody who may no longer do it. */
async function suspendForbidden(tx: Tx): Promise<void> {
  for (const request of await scheduled(tx.db)) {
    const reason = await whyNot(tx.db, request);
    if (reason !== undefined) await suspend(tx, request, reason);
  }
}

/** Why whoever scheduled a request may not apply it any more, or what it lacks itself. */
export async function whyNot(db: Db, request: ChangeRequest): Promise<string | undefined> {
  const by = request.schedule?.by;
  if (by === undefined) return undefined;
  const can = await canOfActor(db, by);
  if (can === undefined) return `${by.name}, who scheduled it, is gone.`;
  const reviewed = await reviewOf(db, [request]);
  const missing = missingToApply(reviewed, request, can);
  if (missing === undefined) return missingApprovals(db, reviewed, request);
  return `${by.name}, who scheduled it, lacks the permission ${missing.permission} in ${placeOf(missing)}.`;
}

/** Suspends a schedule; it stays until somebody schedules the request anew, applies it or gives it up. */
export async function suspend(tx: Tx, request: ChangeRequest, reason: string): Promise<void> {
  await store.endSchedule(tx, request.id, 'suspended', reason);
  recordOf(tx, request, 'change-request-schedule-suspended', { data: { reason } });
}

type Query = ReturnType<typeof ids>;

function ids(db: Db) {
  return db.selectFrom('change_requests').select('id');
}

async function open(
  db: Db,
  narrow: (query: Query) => Query,
  states: readonly State[] = openStates,
): Promise<ChangeRequest[]> {
  const rows = await narrow(ids(db)).where('state', 'in', states).execute();
  return loadRequests(
    db,
    rows.map(({ id }) => id),
  );
}

async function scheduled(db: Db): Promise<ChangeRequest[]> {
  return loadRequests(db, await scheduledIds(db));
}
