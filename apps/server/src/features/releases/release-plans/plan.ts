import type { planStates, startTriggers } from '@yardarm/contract';
import type { FlagStop } from '#features/flags/automation-stops/index.ts';
import { answerDelayMs } from '#features/metrics/external-metrics/index.ts';
import type { Milestone } from '#features/releases/release-templates/index.ts';
import { type MilestoneRun, opensAt } from './gates/index.ts';

/**
 * Why the time at a milestone does not count: a hold is in force, a person stops automation, or the flag is off or
 * archived.
 */
export type StoppedBy = 'hold' | FlagStop | 'off';

/** A release plan of a flag in an environment. The flag has the strategies of its active milestone. */
export interface Plan {
  readonly id: string;
  readonly featureName: string;
  readonly environment: string;
  readonly name: string;
  readonly description: string | null;
  readonly templateId: string | null;
  /** In order; at least one. */
  readonly milestones: readonly Milestone[];
  readonly activeMilestoneId: string;
  /**
   * Whether the plan only records what it would do, and the flag has none of its strategies. All else is as in every
   * plan, so that the log of a shadow plan and that of a real one compare line by line; time counts also while the flag
   * is off, because flags are often off before their release.
   */
  readonly shadow: boolean;
  /** Milliseconds UTC; null while the plan is not paused. */
  readonly pausedAt: number | null;
  readonly pauseReason: string | null;
  readonly stoppedBy: StoppedBy | null;
  /** The time at the active milestone that was counted before `runningSince`, in milliseconds. */
  readonly elapsedMs: number;
  /** Since when the time at the milestone counts, in milliseconds UTC; null while it does not count. */
  readonly runningSince: number | null;
  /** When the plan looks at the gates of the active milestone next; null while no milestone can start by itself. */
  readonly nextAt: number | null;
  /** Since when other gates than `time` and `hours` delay the next milestone; null while they do not. */
  readonly gatedAt: number | null;
  /** The number of halts at a milestone after which the plan goes back to its first milestone; null for no limit. */
  readonly maxHalts: number | null;
  /** After how many minutes a hold that does not help goes one milestone further down; null for never. */
  readonly stepDownMinutes: number | null;
  /** For how many minutes a held milestone is not tried again. */
  readonly restMinutes: number;
  /** How often a hold has halted the plan since the active milestone started or a person resumed the plan. */
  readonly halts: number;
  readonly createdByUserId: number;
  readonly createdAt: number;
}

/** How a milestone was started. */
export type StartTrigger = (typeof startTriggers)[number];

/** How long a plan waits until it looks at its gates again: when a gate is closed, or a metric has no answer yet. */
const lookAgainMs = { closed: 60_000, pending: answerDelayMs } as const;

/** Returns the milestone whose strategies the flag has. */
export function activeMilestone({ id, milestones, activeMilestoneId }: Plan): Milestone {
  const milestone = milestones.find((candidate) => candidate.id === activeMilestoneId);
  if (milestone === undefined) throw new Error(`the release plan ${id} has no milestone ${activeMilestoneId}`);
  return milestone;
}

/** Returns when the active milestone started, or started anew after a hold, in milliseconds UTC. */
export function activeSince(plan: Plan): number {
  const { startedAnewAt, startedAt } = activeMilestone(plan);
  return startedAnewAt ?? startedAt ?? plan.createdAt;
}

/** Returns the milestone after the milestone `id`; undefined after the last. */
export function milestoneAfter({ milestones }: Plan, id: string): Milestone | undefined {
  return milestones[milestones.findIndex((milestone) => milestone.id === id) + 1];
}

/** Returns the plan with a milestone started at `now`. No time at the milestone has counted yet. */
export function withStarted(plan: Plan, milestoneId: string, now: number, trigger: StartTrigger): Plan {
  const milestones = plan.milestones.map((milestone) => {
    if (milestone.id === milestoneId)
      return withoutApproval({ ...milestone, startedAt: now, progressionExecutedAt: null });
    const isSource = trigger === 'time' && milestone.id === plan.activeMilestoneId;
    return isSource ? { ...milestone, progressionExecutedAt: now } : milestone;
  });
  const started = { activeMilestoneId: milestoneId, elapsedMs: 0, runningSince: null, halts: 0 };
  return withTime({ ...plan, milestones, ...started }, now);
}

/** Returns the milestone without its approval, its question for it, and the time at which it started anew. */
function withoutApproval({ approval: _, startedAnewAt: __, askedAt: ___, ...milestone }: Milestone): Milestone {
  return milestone;
}

/**
 * Returns the plan with its time stopped or running from `now` on, and the next time to look at its gates. Time counts
 * while the plan is not paused and `stoppedBy` is null: the flag is on and not held, and no person stops automation.
 * When a hold ends, the time, the evaluations and the approval of the milestone start anew, because the hold may have
 * been placed to undo the milestone. After any other stop, the time goes on from where it was. In shadow mode, time
 * counts while the flag is off, too.
 */
export function withTime(plan: Plan, now: number, by: StoppedBy | null = plan.stoppedBy): Plan {
  const stoppedBy = plan.shadow && by === 'off' ? null : by;
  const counts = plan.pausedAt === null && stoppedBy === null;
  const startsAnew = plan.stoppedBy === 'hold' && stoppedBy !== 'hold';
  const after: Plan = {
    ...plan,
    milestones: startsAnew ? withStartedAnew(plan, now) : plan.milestones,
    stoppedBy,
    elapsedMs: startsAnew ? 0 : elapsedAt(plan, now),
    runningSince: counts ? now : null,
    gatedAt: null,
    halts: plan.halts + (stoppedBy === 'hold' && plan.stoppedBy !== 'hold' ? 1 : 0),
  };
  const run = counts ? runOf(after, now) : undefined;
  return { ...after, nextAt: run === undefined ? null : opensAt(run, now) };
}

/** Returns why a plan that is halted goes back to its first milestone; undefined when it does not. */
export function tooManyHalts(plan: Plan): string | undefined {
  const { halts, maxHalts, milestones } = plan;
  if (maxHalts === null || halts < maxHalts || milestoneAfter(plan, plan.activeMilestoneId) === undefined)
    return undefined;
  const times = halts === 1 ? 'once' : `${halts} times`;
  const [{ id, name }, first] = [activeMilestone(plan), milestones[0]];
  const back = id === first?.id ? '' : `: the plan went back to ${first?.name}`;
  return `Halted ${times} at ${name}${back}. A person resumes it.`;
}

/** Returns the plan that looks at its gates again later, because some are closed or pending. */
export function withLaterLook(plan: Plan, now: number, because: keyof typeof lookAgainMs): Plan {
  return { ...withTime(plan, now), nextAt: now + lookAgainMs[because], gatedAt: plan.gatedAt ?? now };
}

/** Returns the plan with its active milestone approved. */
export function withApproval(plan: Plan, byUserId: number, now: number): Plan {
  const approval = { at: now, byUserId };
  return withTime({ ...plan, milestones: withActive(plan, (milestone) => ({ ...milestone, approval })) }, now);
}

/** Returns the plan whose active milestone has asked a person to approve. */
export function withQuestion(plan: Plan, now: number): Plan {
  return { ...plan, milestones: withActive(plan, (milestone) => ({ ...milestone, askedAt: now })) };
}

/** Returns the milestones, with `change` applied to the active one. */
function withActive({ milestones, activeMilestoneId }: Plan, change: (active: Milestone) => Milestone): Milestone[] {
  return milestones.map((milestone) => (milestone.id === activeMilestoneId ? change(milestone) : milestone));
}

function withStartedAnew(plan: Plan, now: number): Milestone[] {
  return withActive(plan, (milestone) => ({ ...withoutApproval(milestone), startedAnewAt: now }));
}

function elapsedAt({ elapsedMs, runningSince }: Plan, now: number): number {
  return elapsedMs + (runningSince === null ? 0 : Math.max(0, now - runningSince));
}

/** Returns the data of the active milestone that gates read; undefined when no milestone can start by itself. */
export function runOf(plan: Plan, now: number): MilestoneRun | undefined {
  const { id, transitionCondition: condition, approval } = activeMilestone(plan);
  if (condition === null || milestoneAfter(plan, id) === undefined) return undefined;
  const { featureName, environment } = plan;
  return {
    featureName,
    environment,
    condition,
    elapsedMs: elapsedAt(plan, now),
    startedAt: activeSince(plan),
    approval,
  };
}

/** Returns the state of a plan. When several apply, the first check wins: a paused plan of a held flag is `paused`. */
export function stateOf(plan: Plan): (typeof planStates)[number] {
  if (milestoneAfter(plan, plan.activeMilestoneId) === undefined) return 'completed';
  if (plan.pausedAt !== null) return 'paused';
  if (plan.stoppedBy !== null) return stoppedStates[plan.stoppedBy];
  if (plan.nextAt === null) return 'waiting';
  return plan.gatedAt === null ? 'running' : 'gated';
}

const stoppedStates = {
  hold: 'held',
  freeze: 'halted',
  maintenance: 'halted',
  override: 'halted',
  off: 'off',
} as const satisfies Record<StoppedBy, (typeof planStates)[number]>;

/** Returns why a plan is halted; null for a plan that is not, or that is held. */
export function haltReason(plan: Plan): string | null {
  const { stoppedBy } = plan;
  if (stoppedBy === null || stoppedBy === 'hold' || stoppedBy === 'off') return null;
  return stateOf(plan) === 'halted' ? haltReasons[stoppedBy] : null;
}

const haltReasons: Readonly<Record<FlagStop, string>> = {
  freeze: 'Automation is frozen.',
  maintenance: 'The instance is in maintenance mode.',
  override: 'A person overrides automation.',
};
