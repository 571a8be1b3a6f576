import { requireFeature } from '#features/flags/feature/index.ts';
import type { HeldMilestone, Hold } from '#features/flags/held-state/index.ts';
import type { Pace } from '#features/flags/holds/index.ts';
import type { Milestone } from '#features/releases/release-templates/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Place, planIn } from './find-plan.ts';
import { activeMilestone, type Plan, tooManyHalts, withTime } from './plan.ts';

const minuteMs = 60_000;

/** How an action holds a flag that has a release plan. */
export type HeldAt =
  | { readonly effect: 'off'; readonly pace: Pace }
  | { readonly effect: 'milestone'; readonly milestone: HeldMilestone; readonly pace: Pace }
  | { readonly nothingToHold: string };

/**
 * Returns how a flag is held at a milestone of its plan: `previous`, `first`, or the name of a milestone; or `off`. It
 * is never later than the active milestone, so that no user gets the flag because of the hold. Off, when there is no
 * such milestone. `held` is the hold of the same holder, if there is one: it stays off or at its copy of the milestone,
 * because the active milestone or the strategies may have changed since. `windowMs` is the time range of a safeguard's
 * metric. A flag without a plan is not held: what watched the plan has nothing to watch (ADR 90). Rejects with 404 when
 * the flag is unknown or belongs to another project, whose plan may be hidden.
 */
export async function heldAtMilestone(
  db: Db,
  place: Place,
  now: number,
  {
    target,
    held,
    windowMs = 0,
  }: {
    readonly target: string;
    readonly held?: Pick<Hold, 'effect' | 'milestone'> | undefined;
    readonly windowMs?: number;
  },
): Promise<HeldAt> {
  await requireFeature(db, place);
  const plan = await planIn(db, place);
  const { featureName, environment } = place;
  if (plan === undefined)
    return { nothingToHold: `The flag ${featureName} has no release plan in ${environment}, so nothing is held.` };
  if (plan.shadow) return { nothingToHold: `The release plan ${plan.name} is in shadow mode, so nothing is held.` };
  const off = { effect: 'off', pace: paceOf(plan, now, { windowMs, isOff: true }) } as const;
  const pace = paceOf(plan, now, { windowMs, isOff: false });
  if (target === 'off' || held?.effect === 'off') return off;
  if (held?.milestone && plan.milestones.some(({ id }) => id === held.milestone?.id))
    return { effect: 'milestone', milestone: held.milestone, pace };
  const milestone = milestoneBelow(plan, target, now);
  return milestone === undefined ? off : { effect: 'milestone', milestone: toHeld(plan, milestone), pace };
}

/**
 * Returns an earlier milestone of a flag's plan to hold the flag at by hand: `previous`, `first`, or a name. It is the
 * first when the plan goes back with this hold. Rejects with 404 when the flag is unknown or belongs to another
 * project, with 409 when it has no plan whose milestones are served, and with 400 for a milestone that is not earlier
 * than the active one.
 */
export async function requireEarlierMilestone(
  { db, now }: Pick<Tx, 'db' | 'now'>,
  place: Place & { readonly project: string },
  wanted: string,
): Promise<HeldMilestone> {
  await requireFeature(db, place);
  const plan = await planIn(db, place);
  if (plan === undefined || plan.shadow) {
    const missing = plan === undefined ? 'has no release plan' : 'has a release plan in shadow mode';
    throw new Problem('ConflictError', `The flag ${place.featureName} ${missing} in ${place.environment}.`);
  }
  const earlier = plan.milestones.slice(0, activeIndex(plan));
  if (earlier.length === 0)
    throw badField('milestone', `must be an earlier one, and ${activeMilestone(plan).name} is the first`);
  const milestone = milestoneBelow(plan, wanted, now);
  if (milestone === undefined || !earlier.includes(milestone))
    throw badField('milestone', `must be previous, first or one of ${earlier.map(({ name }) => name).join(', ')}`);
  return toHeld(plan, milestone);
}

/**
 * Returns the milestone of a flag's plan to hold the flag at again: the active one when the plan has gone back before
 * it since. Undefined when there is none with this id.
 */
export async function findHeldMilestone(db: Db, place: Place, id: string): Promise<HeldMilestone | undefined> {
  const plan = await planIn(db, place);
  const held = plan?.milestones.findIndex((candidate) => candidate.id === id) ?? -1;
  const milestone = plan?.milestones[Math.min(held, activeIndex(plan))];
  return plan && milestone && toHeld(plan, milestone);
}

function activeIndex({ milestones, activeMilestoneId }: Plan): number {
  return milestones.findIndex(({ id }) => id === activeMilestoneId);
}

function milestoneBelow(plan: Plan, target: string, now: number): Milestone | undefined {
  const active = activeIndex(plan);
  // The plan goes back to its first milestone with this hold; the hold must not serve a later one. A paused plan stays.
  if (plan.pausedAt === null && tooManyHalts(withTime(plan, now, 'hold')) !== undefined) return plan.milestones[0];
  if (target === 'previous') return plan.milestones[active - 1];
  if (target === 'first') return plan.milestones[0];
  const named = plan.milestones.findIndex(({ name }) => name === target);
  return plan.milestones[Math.min(named, active)];
}

/**
 * Returns when a hold goes one milestone further down, which a hold `isOff` does not, and until when it lasts at least.
 * The next step waits at least for `windowMs`, the time range of a metric, whose value says nothing before.
 */
export function paceOf(
  { stepDownMinutes, restMinutes }: Plan,
  now: number,
  { windowMs, isOff }: { readonly windowMs: number; readonly isOff: boolean },
): Pace {
  const stepsDownAt = isOff || stepDownMinutes === null ? null : now + Math.max(stepDownMinutes * minuteMs, windowMs);
  return { stepsDownAt, restsUntil: now + restMinutes * minuteMs };
}

export function toHeld(plan: Plan, { id, name, strategies }: Milestone): HeldMilestone {
  return { id, name, strategies, replaces: plan.milestones.flatMap((each) => each.strategies.map((own) => own.id)) };
}
