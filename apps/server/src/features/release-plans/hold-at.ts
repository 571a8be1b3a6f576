import type { Db } from '../../storage/tx.ts';
import { type HeldMilestone, type Hold, requireFeature } from '../flags/index.ts';
import type { Milestone } from '../release-templates/index.ts';
import { type Place, planIn } from './find-plan.ts';
import { type Plan, tooManyHalts, withTime } from './plan.ts';

/** How an action holds a flag that has a release plan. */
export type HeldAt =
  | { readonly effect: 'off' }
  | { readonly effect: 'milestone'; readonly milestone: HeldMilestone }
  | { readonly nothingToHold: string };

/**
 * Returns how a flag is held at a milestone of its plan: `previous`, `first`, or the name of a milestone. It is never
 * later than the active milestone, so that no user gets the flag because of the hold. Off, when there is no such
 * milestone. `held` is the hold of the same holder, if there is one: it stays off or at its copy of the milestone,
 * because the active milestone or the strategies may have changed since. A flag without a plan is not held: what
 * watched the plan has nothing to watch (ADR 90). Rejects with 404 when the flag is unknown or belongs to another
 * project, whose plan may be hidden.
 */
export async function heldAtMilestone(
  db: Db,
  place: Place,
  now: number,
  { target, held }: { readonly target: string; readonly held?: Pick<Hold, 'effect' | 'milestone'> | undefined },
): Promise<HeldAt> {
  await requireFeature(db, place);
  const plan = await planIn(db, place);
  const { featureName, environment } = place;
  if (plan === undefined)
    return { nothingToHold: `The flag ${featureName} has no release plan in ${environment}, so nothing is held.` };
  if (plan.shadow) return { nothingToHold: `The release plan ${plan.name} is in shadow mode, so nothing is held.` };
  if (held?.effect === 'off') return { effect: 'off' };
  if (held?.milestone && plan.milestones.some(({ id }) => id === held.milestone?.id))
    return { effect: 'milestone', milestone: held.milestone };
  const milestone = milestoneBelow(plan, target, now);
  return milestone === undefined ? { effect: 'off' } : { effect: 'milestone', milestone: toHeld(plan, milestone) };
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

function toHeld(plan: Plan, { id, name, strategies }: Milestone): HeldMilestone {
  return { id, name, strategies, replaces: plan.milestones.flatMap((each) => each.strategies.map((own) => own.id)) };
}
