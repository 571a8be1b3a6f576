import type { Actor } from '../../kernel/actor.ts';
import { isoTime } from '../../kernel/clock.ts';
import type { Db } from '../../storage/tx.ts';
import { type Change, flagOf, segmentOf, targetOf } from './change.ts';
import { conflictOf, conflictOfFlag, type Present, readPresent, replacedBy } from './conflicts.ts';
import { type Reviewed, requiredApprovals, reviewOf } from './judging.ts';
import { type ChangeRequest, openStates, type Schedule, titleOf } from './request.ts';
import { loadRequests, scheduledFor } from './store.ts';

/** Requests as the API shows them, in the order of `ids`. Constantly many statements, however many requests there are. */
export async function presentRequests(db: Db, ids: readonly number[]) {
  const requests = await loadRequests(db, ids);
  const open = requests.filter(({ state }) => openStates.includes(state)).flatMap(({ changes }) => changes);
  const targets = [...new Set(open.filter(isSettable).map(({ doing }) => targetOf(doing)))];
  const projects = [...new Set(requests.map(({ project }) => project))];
  const [present, scheduled, reviewed] = await Promise.all([
    readPresent(
      db,
      open.map(({ doing }) => doing),
    ),
    scheduledFor(db, targets, projects),
    reviewOf(db, requests),
  ]);
  const byId = new Map(requests.map((one) => [one.id, one]));
  return ids.flatMap((id) => {
    const request = byId.get(id);
    return request === undefined ? [] : [present1(request, { present, scheduled, reviewed })];
  });
}

/** {@link presentRequests} for one that there is. */
export async function presentRequest(db: Db, id: number) {
  const [request] = await presentRequests(db, [id]);
  if (request === undefined) throw new Error(`change request ${id} is gone`);
  return request;
}

interface Around {
  readonly present: Present;
  readonly scheduled: Awaited<ReturnType<typeof scheduledFor>>;
  readonly reviewed: Reviewed;
}

/** Strategies are added side by side: none gets in the way of another. */
function isSettable({ doing }: Change): boolean {
  return doing.action !== 'addStrategy';
}

function present1(request: ChangeRequest, around: Around) {
  const isOpen = openStates.includes(request.state);
  const ofFlags = Map.groupBy(
    request.changes.filter(({ doing }) => flagOf(doing) !== undefined),
    ({ doing }) => flagOf(doing) ?? '',
  );
  return {
    id: request.id,
    title: titleOf(request),
    project: request.project,
    environment: request.environment,
    state: request.state,
    minApprovals: requiredApprovals(around.reviewed, request),
    ...presentDone(request),
    features: [...ofFlags].map(([name, changes]) => ({
      name,
      ...(isOpen ? optional('conflict', conflictOfFlag(around.present, request, name)) : {}),
      changes: changes.map((change) => presentChange(change, request, around)),
    })),
    segments: request.changes.flatMap((change) => {
      const segmentId = segmentOf(change.doing);
      if (segmentId === undefined) return [];
      const name = around.present.segments.get(segmentId)?.name ?? null;
      return [{ segmentId, name, ...presentChange(change, request, around) }];
    }),
    approvals: request.reviews.filter(({ approved }) => approved).map(presentDone),
    rejections: request.reviews.filter(({ approved }) => !approved).map(presentDone),
    comments: request.comments.map((one) => ({ id: one.id, text: one.text, ...presentDone(one) })),
    ...(request.schedule === null ? {} : { schedule: presentSchedule(request.schedule) }),
    stateTransitionTimestamps: Object.fromEntries(
      Object.entries(request.timestamps).map(([state, at]) => [state, isoTime(at)]),
    ),
  };
}

function presentChange(change: Change, request: ChangeRequest, { present, scheduled }: Around) {
  const isOpen = openStates.includes(request.state);
  const others = (scheduled.get(targetOf(change.doing)) ?? []).filter(({ id }) => id !== request.id);
  const changeRequests = others.map((one) => ({ id: one.id, title: titleOf(one) }));
  return {
    id: change.id,
    action: change.doing.action,
    payload: change.doing.payload ?? null,
    ...presentDone(change),
    ...(request.state === 'Applied' ? { before: replacedBy(change) } : {}),
    ...(isOpen ? optional('conflict', conflictOf(present, request, change)) : {}),
    ...(isOpen && isSettable(change) && others.length > 0 ? { scheduleConflicts: { changeRequests } } : {}),
  };
}

export function presentSchedule({ at, by, status, reason }: Schedule) {
  return { scheduledAt: isoTime(at), scheduledBy: presentActor(by), status, reason };
}

function presentDone({ by, at }: { readonly by: Actor; readonly at: number }) {
  return { createdBy: presentActor(by), createdAt: isoTime(at) };
}

function presentActor({ userId, name }: Actor) {
  return { id: userId, username: name, imageUrl: '' };
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [_ in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [_ in K]: string });
}
