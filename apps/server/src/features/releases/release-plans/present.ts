import { presentMilestone } from '#features/releases/release-templates/index.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { LookedAt } from './gates/index.ts';
import type { ListedPlan } from './list-plans.ts';
import { ownPatience } from './patience.ts';
import { activeMilestone, haltReason, type Plan, stateOf } from './plan.ts';

/** Returns the plan as answers contain it; `gates` are those of its active milestone. */
export function presentPlan(plan: Plan, now: number, gates: readonly LookedAt[]) {
  const { description, createdByUserId, activeMilestoneId, shadow, maxHalts, stepDownMinutes, restMinutes } = plan;
  return {
    ...presentHead(plan),
    discriminator: 'plan' as const,
    description,
    createdByUserId,
    activeMilestoneId,
    shadow,
    maxHalts,
    stepDownMinutes,
    restMinutes,
    milestones: presentMilestones(plan),
    progress: { ...presentProgress(plan, now), waitsFor: presentGates(gates.filter(({ isOpen }) => !isOpen)) },
  };
}

/** Returns gates as answers and events contain them. */
export function presentGates(gates: readonly LookedAt[]) {
  return gates.map(({ gate, text }) => ({ gate, text }));
}

/** Returns the plan in a list: without its milestones and their strategies. */
export function presentListedPlan({ plan, project }: ListedPlan, now: number) {
  const milestone = activeMilestone(plan);
  return {
    ...presentHead(plan),
    project,
    progress: presentProgress(plan, now),
    milestoneName: milestone.name,
    milestoneOrder: plan.milestones.indexOf(milestone),
    totalMilestones: plan.milestones.length,
  };
}

function presentHead({ id, name, featureName, environment, templateId, createdAt }: Plan) {
  return { id, name, featureName, environment, createdAt: isoTime(createdAt), releasePlanTemplateId: templateId };
}

function presentProgress(plan: Plan, now: number) {
  const state = stateOf(plan);
  const elapsedMs = plan.elapsedMs + (plan.runningSince === null ? 0 : now - plan.runningSince);
  return {
    state,
    reason: plan.pauseReason ?? haltReason(plan),
    haltedAt: isoTimeOrNull(plan.pauseReason === null ? null : plan.pausedAt),
    halts: plan.halts,
    nextAt: isoTimeOrNull(state === 'gated' ? null : plan.nextAt),
    elapsedMinutes: Math.floor(Math.max(0, elapsedMs) / 60_000),
  };
}

function presentMilestones({ id, milestones, activeMilestoneId, pausedAt }: Plan) {
  return milestones.map((milestone) =>
    presentMilestone(milestone, id, milestone.id === activeMilestoneId ? pausedAt : null),
  );
}

/** Returns the mark of events in shadow mode; without members otherwise. */
export function shadowData({ shadow }: Pick<Plan, 'shadow'>): { readonly shadow?: true } {
  return shadow ? { shadow } : {};
}

/** Returns the plan as events contain it. */
export function planEventData(plan: Plan) {
  const { id: planId, name, maxHalts } = plan;
  return {
    planId,
    name,
    milestones: presentMilestones(plan),
    ...(maxHalts === null ? {} : { maxHalts }),
    ...ownPatience(plan),
    ...shadowData(plan),
  };
}

/** Returns the data of the events that a plan was paused or resumed. */
export function pauseEventData(plan: Plan, reason: string | null) {
  return { planId: plan.id, planName: plan.name, milestoneName: activeMilestone(plan).name, reason };
}
