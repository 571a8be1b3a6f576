import type { Actor } from '#kernel/actor.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';
import { type Change, flagOf, segmentOf, targetOf } from './change.ts';
import { type CurrentState, conflictOf, conflictOfFlag, readCurrentState, replacedBy } from './conflicts.ts';
import { type ChangeRequest, openStates, type Schedule, titleOf } from './request.ts';
import { type ReviewRules, readReviewRules, requiredApprovals } from './review-rules.ts';
import { loadRequests, scheduledFor } from './store.ts';

/** Returns requests as the API shows them, in the order of `ids`. The number of statements is constant. */
export async function presentRequests(db: Db, ids: readonly number[]) {
  const requests = await loadRequests(db, ids);
  const open = requests.filter(({ state }) => openStates.includes(state)).flatMap(({ changes }) => changes);
  const targets = [...new Set(open.filter(isSettable).map(({ operation }) => targetOf(operation)))];
  const projects = [...new Set(requests.map(({ project }) => project))];
  const [current, scheduled, rules] = await Promise.all([
    readCurrentState(
      db,
      open.map(({ operation }) => operation),
    ),
    scheduledFor(db, targets, projects),
    readReviewRules(db, requests),
  ]);
  const byId = new Map(requests.map((request) => [request.id, request]));
  return ids.flatMap((id) => {
    const request = byId.get(id);
    return request === undefined ? [] : [presentOne(request, { current, scheduled, rules })];
  });
}

/** Presents one existing request; see {@link presentRequests}. */
export async function presentRequest(db: Db, id: number) {
  const [request] = await presentRequests(db, [id]);
  if (request === undefined) throw new Error(`change request ${id} does not exist`);
  return request;
}

interface RelatedData {
  readonly current: CurrentState;
  readonly scheduled: Awaited<ReturnType<typeof scheduledFor>>;
  readonly rules: ReviewRules;
}

/** Returns whether a change conflicts with a scheduled change of the same target. Adding a strategy never conflicts. */
function isSettable({ operation }: Change): boolean {
  return operation.action !== 'addStrategy';
}

function presentOne(request: ChangeRequest, related: RelatedData) {
  const isOpen = openStates.includes(request.state);
  const changesOfFlags = Map.groupBy(
    request.changes.filter(({ operation }) => flagOf(operation) !== undefined),
    ({ operation }) => flagOf(operation) ?? '',
  );
  return {
    id: request.id,
    title: titleOf(request),
    project: request.project,
    environment: request.environment,
    state: request.state,
    minApprovals: requiredApprovals(related.rules, request),
    ...presentAuthorship(request),
    features: [...changesOfFlags].map(([name, changes]) => ({
      name,
      ...(isOpen ? optional('conflict', conflictOfFlag(related.current, request, name)) : {}),
      changes: changes.map((change) => presentChange(change, request, related)),
    })),
    segments: request.changes.flatMap((change) => {
      const segmentId = segmentOf(change.operation);
      if (segmentId === undefined) return [];
      const name = related.current.segments.get(segmentId)?.name ?? null;
      return [{ segmentId, name, ...presentChange(change, request, related) }];
    }),
    approvals: request.reviews.filter(({ approved }) => approved).map(presentAuthorship),
    rejections: request.reviews.filter(({ approved }) => !approved).map(presentAuthorship),
    comments: request.comments.map((comment) => ({
      id: comment.id,
      text: comment.text,
      ...presentAuthorship(comment),
    })),
    ...(request.schedule === null ? {} : { schedule: presentSchedule(request.schedule) }),
    stateTransitionTimestamps: Object.fromEntries(
      Object.entries(request.timestamps).map(([state, at]) => [state, isoTime(at)]),
    ),
  };
}

function presentChange(change: Change, request: ChangeRequest, { current, scheduled }: RelatedData) {
  const isOpen = openStates.includes(request.state);
  const others = (scheduled.get(targetOf(change.operation)) ?? []).filter(({ id }) => id !== request.id);
  const changeRequests = others.map((other) => ({ id: other.id, title: titleOf(other) }));
  return {
    id: change.id,
    action: change.operation.action,
    payload: change.operation.payload ?? null,
    ...presentAuthorship(change),
    ...(request.state === 'Applied' ? { before: replacedBy(change) } : {}),
    ...(isOpen ? optional('conflict', conflictOf(current, request, change)) : {}),
    ...(isOpen && isSettable(change) && others.length > 0 ? { scheduleConflicts: { changeRequests } } : {}),
  };
}

export function presentSchedule({ at, by, status, reason }: Schedule) {
  return { scheduledAt: isoTime(at), scheduledBy: presentActor(by), status, reason };
}

function presentAuthorship({ by, at }: { readonly by: Actor; readonly at: number }) {
  return { createdBy: presentActor(by), createdAt: isoTime(at) };
}

function presentActor({ userId, name }: Actor) {
  return { id: userId, username: name, imageUrl: '' };
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [_ in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [_ in K]: string });
}
