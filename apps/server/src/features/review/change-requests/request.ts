import { type changeRequestStates, type EventType, openChangeRequestStates } from '@yardarm/contract';
import type { Actor } from '#kernel/actor.ts';
import { isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { NewEvent, Tx } from '#storage/tx.ts';
import type { Change } from './change.ts';

export type State = (typeof changeRequestStates)[number];

/** States of requests that can still be applied. */
export const openStates: readonly State[] = openChangeRequestStates;

/** The open states without drafts, which only their author sees. */
export const sentStates = openStates.filter((state) => state !== 'Draft');

export interface Review {
  readonly approved: boolean;
  readonly by: Actor;
  readonly at: number;
}

export interface Comment {
  readonly id: number;
  readonly text: string;
  readonly by: Actor;
  readonly at: number;
}

/** When a request is applied, and by whom: it is applied with the permissions of that account. */
export interface Schedule {
  /** Milliseconds UTC. */
  readonly at: number;
  readonly by: Actor;
  readonly status: 'pending' | 'failed' | 'suspended';
  /** Why the schedule failed or was suspended. */
  readonly reason: string | null;
}

/** Requested changes of flags in one environment of a project. */
export interface ChangeRequest {
  readonly id: number;
  readonly project: string;
  readonly environment: string;
  readonly state: State;
  readonly title: string | null;
  readonly by: Actor;
  readonly at: number;
  readonly schedule: Schedule | null;
  /** When the request last entered each state, milliseconds UTC. */
  readonly timestamps: Readonly<Partial<Record<State, number>>>;
  /** Ordered by id, which is the order of application. */
  readonly changes: readonly Change[];
  readonly reviews: readonly Review[];
  readonly comments: readonly Comment[];
  /** Account ids of the requested approvers. */
  readonly approvers: readonly number[];
}

export function titleOf({ id, title }: Pick<ChangeRequest, 'id' | 'title'>): string {
  return title ?? `Change request #${id}`;
}

/** Returns whether two actors are the same account or token. Tokens share one user id and differ by name. */
export function isSame(a: Actor, b: Actor): boolean {
  return a.userId === b.userId && (a.userId > 0 || a.name === b.name);
}

export function approvalsOf({ reviews }: ChangeRequest): readonly Review[] {
  return reviews.filter(({ approved }) => approved);
}

/** Rejects with 409 unless the request is in one of the states. */
export function requireState(request: ChangeRequest, ...states: readonly State[]): void {
  if (states.includes(request.state)) return;
  throw new Problem(
    'ConflictError',
    `The change request ${request.id} is in the state ${request.state}. This is possible only in: ${states.join(', ')}.`,
  );
}

/** Records an event of a change request. */
export function recordOf(
  tx: Tx,
  request: Pick<ChangeRequest, 'id' | 'project' | 'environment'>,
  type: EventType,
  more: { readonly featureName?: string | undefined; readonly data?: object; readonly preData?: object } & Pick<
    NewEvent,
    'outcome'
  > = {},
): void {
  const { id, project, environment } = request;
  tx.record({
    type,
    project,
    environment,
    featureName: more.featureName ?? null,
    ...(more.preData === undefined ? {} : { preData: more.preData }),
    ...(more.outcome === undefined ? {} : { outcome: more.outcome }),
    data: { changeRequestId: id, ...more.data },
  });
}

/** Returns the event data of a schedule. */
export function scheduleData({ at }: Pick<Schedule, 'at'>) {
  return { scheduledDate: isoTime(at) };
}
