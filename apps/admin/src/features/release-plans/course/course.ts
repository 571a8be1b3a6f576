import { readableAuthor } from '@yardarm/contract/author-names';
import type { LoggedEvent } from '../../../entities/events/event-queries.ts';
import { type Hold, heldAs } from '../../../entities/holds/flag-hold.ts';
import type { Milestone, Plan } from '../../../entities/release-plans/plan-queries.ts';

/** The state of a plan at a time: it goes on (`running`), or the reason why it does not. */
export type Course = 'running' | 'gated' | 'paused' | 'held' | 'off';

/** A part of the course of a plan during which neither the milestone nor the course changes. */
export interface Stretch {
  /** Milliseconds UTC. */
  readonly from: number;
  readonly to: number;
  /** The name of the milestone. */
  readonly milestone: string;
  readonly course: Course;
}

/** A stretch of a stored plan, with the exposure. A rehearsal has stretches without exposure. */
export interface ExposedStretch extends Stretch {
  /** The percentage of users whom the strategies serve, from 0 to 100; 0 while the flag is off or held off. */
  readonly exposure: number;
  /** The reasons why the plan does not go on, as sentences without a full stop; empty while it goes on. */
  readonly reasons: readonly string[];
  /** The signals that halted or paused the plan. */
  readonly signalIds: readonly number[];
}

export type CourseEvent = Pick<
  LoggedEvent,
  'type' | 'createdAt' | 'createdBy' | 'data' | 'preData' | 'reason' | 'cause'
>;

/** The types of events that change the course of a plan. */
export const courseEventTypes = [
  'release-plan-milestone-started',
  'release-plan-updated',
  'release-plan-progressions-paused',
  'release-plan-progressions-resumed',
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-effective-state-changed',
] as const;

/** The types of events that switch the flag off in all environments. These events name no environment. */
export const archiveEventTypes = ['feature-archived', 'feature-revived'] as const;

/** The fields in the data of events that are read here. Each type of event has some of them. */
interface Recorded {
  readonly planId?: string;
  readonly milestoneId?: string;
  readonly milestoneName?: string;
  readonly strategies?: Milestone['strategies'];
  readonly milestones?: readonly Milestone[];
  readonly reason?: string | null;
  readonly lease?: Hold | null;
}

/** Why a plan is stopped, and the signal that stopped it. */
interface Stop {
  readonly reason: string;
  readonly signalId: number | null;
  /** The percentage of users who are served meanwhile; null when it is still that of the milestone. */
  readonly exposure: number | null;
}

interface State {
  readonly milestoneId: string;
  readonly milestone: string;
  readonly exposure: number;
  /** Whether the flag is configured to be on. */
  readonly isOn: boolean;
  readonly hold: Stop | null;
  readonly pause: Stop | null;
}

/** The plan, and the current state, which cannot be derived from the events. */
export interface Known {
  readonly plan: Plan;
  /** The current state of the flag in the environment. */
  readonly flag: { readonly enabled: boolean; readonly lease: Hold | null };
  /** Whether the given events are all events of the plan, from its start on. */
  readonly isWhole: boolean;
}

/**
 * Returns the course of a plan until `to`, in milliseconds UTC: stretches in order and without gaps. Events are given
 * oldest first. The course starts when the plan was added. If older events of the plan are missing, it starts at the
 * oldest given event.
 */
export function courseOf(events: readonly CourseEvent[], known: Known, to: number): ExposedStretch[] {
  const { plan, isWhole } = known;
  const since = events.filter(({ createdAt }) => createdAt >= plan.createdAt && Date.parse(createdAt) < to);
  let state = stateBefore(since, known);
  let from = Date.parse((isWhole ? undefined : since[0]?.createdAt) ?? plan.createdAt);
  const stretches: ExposedStretch[] = [];
  for (const event of since) {
    const after = stateAfter(state, event, plan.id);
    const at = Date.parse(event.createdAt);
    if (at > from) append(stretches, stretchOf(state, from, at));
    from = at;
    state = after;
  }
  if (to > from) append(stretches, stretchOf(state, from, to));
  return stretches;
}

/** Returns the part of a course from a time on. */
export function courseFrom(course: readonly ExposedStretch[], from: number): ExposedStretch[] {
  return course.flatMap((stretch) => (stretch.to <= from ? [] : [{ ...stretch, from: Math.max(stretch.from, from) }]));
}

/** Returns the stretch at a time; the last stretch for the end of the course. */
export function stretchAt<S extends Stretch>(course: readonly S[], at: number): S | undefined {
  return course.find((stretch) => at < stretch.to) ?? course.at(-1);
}

/** Returns the highest percentage of the enabled strategies. Strategies for listed users count as 0. */
export function exposureOf(strategies: Milestone['strategies']): number {
  const percentages = strategies.flatMap(({ disabled, name, parameters }) => {
    if (disabled) return [];
    if (name === 'default') return [100];
    return Number(parameters['rollout'] ?? parameters['percentage'] ?? 0) || 0;
  });
  return Math.max(0, ...percentages);
}

/** Appends a stretch, or extends the last one when nothing but the time differs. */
function append(stretches: ExposedStretch[], next: ExposedStretch): void {
  const last = stretches.at(-1);
  const isSame =
    last !== undefined && JSON.stringify({ ...last, from: 0, to: 0 }) === JSON.stringify({ ...next, from: 0, to: 0 });
  if (isSame) stretches.splice(-1, 1, { ...last, to: next.to });
  else stretches.push(next);
}

function stretchOf({ milestone, exposure, isOn, hold, pause }: State, from: number, to: number): ExposedStretch {
  const stops = [pause, hold].filter((stop) => stop !== null);
  const isOff = !isOn && hold === null;
  return {
    from,
    to,
    milestone,
    course: pause !== null ? 'paused' : hold !== null ? 'held' : isOff ? 'off' : 'running',
    exposure: isOff ? 0 : (hold?.exposure ?? exposure),
    reasons: [...stops.map(({ reason }) => reason), ...(isOff ? ['Flag is off'] : [])],
    signalIds: stops.flatMap(({ signalId }) => signalId ?? []),
  };
}

/**
 * A hold that only a pause or its end tells of. It was placed while the flag was off, so no event records a change of
 * state by it.
 */
const unknownHold: Stop = { reason: 'Flag is held', signalId: null, exposure: 0 };

function holdStop(lease: Hold | null, signalId: number | null): Stop | null {
  if (lease === null) return null;
  const words = `${heldAs(lease)} by ${lease.heldBy.name}`;
  const reason = `${words.charAt(0).toUpperCase()}${words.slice(1)}${lease.reason === null ? '' : `: ${bare(lease.reason)}`}`;
  return { reason, signalId, exposure: lease.effect === 'off' ? 0 : lease.rollout };
}

function pauseStop(why: string | null, by?: string, signalId: number | null = null): Stop {
  // A person pauses a plan; automation halts it, and says why.
  const start = by !== undefined ? `Paused by ${by}` : why === null ? 'Paused' : 'Halted';
  return { reason: why === null ? start : `${start}: ${bare(why)}`, signalId, exposure: null };
}

/** Returns a sentence without its full stop. */
function bare(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

/**
 * The reasons of pauses that a hold caused, and of the ends of these pauses. People and safeguards cause all other
 * pauses.
 */
const holdReasons: ReadonlySet<unknown> = new Set(['The flag is held.', 'The flag is no longer held.']);

type Change = (before: State, recorded: Recorded, event: CourseEvent) => State;

const switchOff: Change = (before) => ({ ...before, isOn: false });

const changes: Readonly<Record<string, Change>> = {
  'feature-environment-enabled': (before) => ({ ...before, isOn: true }),
  'feature-environment-disabled': switchOff,
  'feature-archived': switchOff,
  'feature-revived': switchOff,
  'feature-effective-state-changed': (before, { lease = null }, { cause }) => ({
    ...before,
    hold: holdStop(lease, cause.signalId),
  }),
  'release-plan-milestone-started': (before, { milestoneId = '', milestoneName = '', strategies = [] }) => ({
    ...before,
    milestoneId,
    milestone: milestoneName,
    exposure: exposureOf(strategies),
  }),
  'release-plan-updated': (before, { milestones = [] }) => {
    const active = milestones.find(({ id }) => id === before.milestoneId);
    return active === undefined ? before : { ...before, exposure: exposureOf(active.strategies) };
  },
  'release-plan-progressions-paused': (before, { reason = null }, event) =>
    holdReasons.has(reason)
      ? { ...before, hold: before.hold ?? unknownHold }
      : { ...before, pause: pauseOf(reason, event) },
  'release-plan-progressions-resumed': (before, { reason = null }) =>
    holdReasons.has(reason) ? { ...before, hold: null } : { ...before, pause: null },
};

/**
 * Returns a pause. For a pause by a safeguard the server gives the reason. For a pause by a person it is the reason of
 * the change, if any.
 */
function pauseOf(reason: string | null, event: CourseEvent): Stop {
  return reason === null
    ? pauseStop(event.reason, readableAuthor(event.createdBy), event.cause.signalId)
    : pauseStop(reason, undefined, event.cause.signalId);
}

function stateAfter(before: State, event: CourseEvent, planId: string): State {
  const recorded = recordedIn(event.data);
  const isOfOtherPlan = recorded.planId !== undefined && recorded.planId !== planId;
  return isOfOtherPlan ? before : (changes[event.type]?.(before, recorded, event) ?? before);
}

function recordedIn(data: CourseEvent['data']): Recorded {
  return Object(data) as Recorded;
}

/**
 * Returns the state before the first event. For each part of the state, the first event that changed it tells its value
 * before. A part that no event changed has its current value.
 */
function stateBefore(events: readonly CourseEvent[], known: Known): State {
  const { plan, flag } = known;
  const milestone = milestoneBefore(events, plan);
  const switched = events.find(({ type }) => switches.has(type));
  return {
    milestoneId: milestone?.id ?? '',
    milestone: milestone?.name ?? '',
    exposure: exposureOf(milestone?.strategies ?? []),
    isOn: switched === undefined ? flag.enabled : switched.type !== 'feature-environment-enabled',
    hold: holdBefore(events, flag.lease),
    pause: pauseBefore(events, plan),
  };
}

const switches: ReadonlySet<string> = new Set([
  'feature-environment-enabled',
  'feature-environment-disabled',
  ...archiveEventTypes,
]);

function holdBefore(events: readonly CourseEvent[], lease: Hold | null): Stop | null {
  const first = events.find(
    ({ type, data }) =>
      type === 'feature-effective-state-changed' || (isPause(type) && holdReasons.has(recordedIn(data).reason)),
  );
  if (first === undefined) return holdStop(lease, null);
  if (!isPause(first.type)) return holdStop(recordedIn(first.preData).lease ?? null, null);
  return first.type === 'release-plan-progressions-resumed' ? unknownHold : null;
}

function pauseBefore(events: readonly CourseEvent[], { milestones, activeMilestoneId, progress }: Plan): Stop | null {
  const first = events.find(({ type, data }) => isPause(type) && !holdReasons.has(recordedIn(data).reason));
  if (first !== undefined) return first.type === 'release-plan-progressions-resumed' ? pauseStop(null) : null;
  const isPaused = milestones.some(({ id, pausedAt }) => id === activeMilestoneId && pausedAt !== null);
  return isPaused ? pauseStop(progress.reason) : null;
}

function isPause(type: string): boolean {
  return type === 'release-plan-progressions-paused' || type === 'release-plan-progressions-resumed';
}

/**
 * Returns the milestone that was active before the events: the one that started last before the first recorded start.
 */
function milestoneBefore(
  events: readonly CourseEvent[],
  { milestones, activeMilestoneId }: Plan,
): Milestone | undefined {
  const first = events.find(({ type }) => type === 'release-plan-milestone-started');
  if (first === undefined) return milestones.find(({ id }) => id === activeMilestoneId);
  const { milestoneId } = recordedIn(first.data);
  const earlier = milestones.filter(
    ({ id, startedAt }) => id !== milestoneId && startedAt !== null && startedAt < first.createdAt,
  );
  const newest = earlier.toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? -1 : 1)).at(-1);
  return newest ?? milestones.find(({ id }) => id === milestoneId);
}
