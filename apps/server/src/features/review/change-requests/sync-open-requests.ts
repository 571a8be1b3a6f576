import { eventScope, type ReviewPolicy } from '#features/flags/change-control/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db, NewEvent, Tx } from '#storage/tx.ts';
import { permissionCheckOf } from './actor-permissions.ts';
import { conflictOf, readCurrentState } from './conflicts.ts';
import { approvalsOf, type ChangeRequest, openStates, recordOf, type State } from './request.ts';
import {
  approvalProblem,
  describePlace,
  isApproved,
  missingPermissionToApply,
  readReviewRules,
  requiredApprovals,
} from './review-rules.ts';
import { loadRequests, scheduledIds } from './store.ts';
import * as store from './write-store.ts';

/**
 * Updates open change requests in the same transaction as the change that affects them: suspends schedules that can no
 * longer be applied, cancels requests whose environment or author is gone, and recounts approvals when review rules
 * change.
 */
export function syncOpenRequests(review: ReviewPolicy): BeforeCommit {
  return async ({ db }, change) => {
    const { events } = change;
    const concerns = events.some((event) => concerning.some((effect) => touches(event, effect)));
    const mayConflict = events.some((event) => eventScope(event) !== 'none') && (await scheduledIds(db)).length > 0;
    return concerns || mayConflict ? (tx) => sync(tx, review, change) : undefined;
  };
}

/** The effects of events that concern open requests in another way than by a conflict. */
const concerning = ['requests-of-environment', 'approval-rules', 'drafts-of-account', 'scheduler-permissions'] as const;

async function sync(tx: Tx, review: ReviewPolicy, { events, group }: Parameters<BeforeCommit>[1]): Promise<void> {
  for (const event of events) {
    if (touches(event, 'requests-of-environment')) await cancelInEnvironment(tx, event);
    if (touches(event, 'approval-rules')) await reevaluateApprovals(tx, event.project ?? '');
    if (touches(event, 'drafts-of-account')) await cancelDrafts(tx, event);
  }
  if (events.some((event) => eventScope(event) !== 'none')) await suspendConflicting(tx, events, group?.id);
  if (events.some((event) => touches(event, 'scheduler-permissions'))) await suspendForbidden(tx, review);
}

/** Cancels the open requests of an environment that is removed from its project. */
async function cancelInEnvironment(tx: Tx, { project, environment }: NewEvent): Promise<void> {
  const requests = await open(tx.db, (query) =>
    query.where('project', '=', project ?? '').where('environment', '=', environment ?? ''),
  );
  for (const request of requests) await cancel(tx, request);
}

/** Cancels the drafts of a deleted account, which only that account could see. Requests in review stay open. */
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

/** Moves open requests of a project, and those that change segments, between "In review" and "Approved". */
async function reevaluateApprovals(tx: Tx, project: string): Promise<void> {
  const ofSegments = tx.db
    .selectFrom('change_request_changes')
    .select('request_id')
    .where('action', 'in', ['updateSegment', 'deleteSegment']);
  const requests = await open(
    tx.db,
    (query) => query.where((eb) => eb.or([eb('project', '=', project), eb('id', 'in', ofSegments)])),
    ['In review', 'Approved', 'Scheduled'],
  );
  const rules = await readReviewRules(tx.db, requests);
  for (const request of requests) {
    const approved = isApproved(rules, request);
    if (approved && request.state === 'In review') {
      await store.putState(tx, request, 'Approved');
      recordOf(tx, request, 'change-request-approved');
    } else if (!approved && request.state !== 'In review') {
      await store.putState(tx, request, 'In review');
      if (request.state !== 'Scheduled') continue;
      const reason = `The change request has ${approvalsOf(request).length} of ${requiredApprovals(rules, request)} approvals.`;
      recordOf(tx, request, 'change-request-schedule-suspended', { data: { reason } });
    }
  }
}

/** Suspends the scheduled change requests that conflict with the events, except the change request that caused them. */
async function suspendConflicting(tx: Tx, events: readonly NewEvent[], except: string | undefined): Promise<void> {
  const ids = (await scheduledIds(tx.db)).filter((id) => String(id) !== except);
  if (ids.length === 0) return;
  const pending = (await loadRequests(tx.db, ids)).filter(({ schedule }) => schedule?.status === 'pending');
  const projects = new Set(events.flatMap(({ project, data }) => [project, oldProjectOf(data)]));
  const affected = pending.filter(({ project }) => projects.has(project) || projects.has(null));
  const current = await readCurrentState(
    tx.db,
    affected.flatMap(({ changes }) => changes.map(({ operation }) => operation)),
  );
  for (const request of affected) {
    const conflict = request.changes.map((change) => conflictOf(current, request, change)).find(Boolean);
    if (conflict !== undefined) await suspend(tx, request, conflict);
  }
}

function oldProjectOf(data: unknown): unknown {
  return (data as { readonly oldProject?: unknown } | undefined)?.oldProject;
}

/** Suspends scheduled requests whose scheduler lost the permission to apply them. */
async function suspendForbidden(tx: Tx, review: ReviewPolicy): Promise<void> {
  for (const request of await scheduled(tx.db)) {
    const reason = await blockingReason(tx, request, review);
    if (reason !== undefined) await suspend(tx, request, reason);
  }
}

/** Returns why a scheduled request cannot be applied: its scheduler lacks permission, or approvals are missing. */
export async function blockingReason(
  tx: Pick<Tx, 'db' | 'now'>,
  request: ChangeRequest,
  review: ReviewPolicy,
): Promise<string | undefined> {
  const by = request.schedule?.by;
  if (by === undefined) return undefined;
  const can = await permissionCheckOf(tx, by);
  if (can === undefined)
    return `The account or token of ${by.name}, who scheduled the change request, no longer exists or has expired.`;
  const rules = await readReviewRules(tx.db, [request]);
  const missing = missingPermissionToApply(rules, request, can);
  if (missing === undefined) return approvalProblem(tx, rules, request, review);
  return `${by.name}, who scheduled the change request, lacks the permission ${missing.permission} in ${describePlace(missing)}.`;
}

/** Suspends a schedule until the request is rescheduled, applied, rejected or cancelled. */
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
