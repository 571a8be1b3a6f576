export { approveByAction, approveMilestone } from './approve.ts';
export {
  addPlan,
  changeMilestoneStrategy,
  pausePlan,
  removePlan,
  setProgression,
  startMilestone,
} from './commands.ts';
export { type DraftSource, draftPlan } from './draft-plan.ts';
export { type Place, requireInEnvironment, requireMilestone, requirePlan } from './find-plan.ts';
export { withFlagName } from './flag-name.ts';
export { findLockedStrategies, keepTimeOfPlans, refuseChangesOfRunStrategies } from './follow-flags.ts';
export { type LookedAt, safeguardGate } from './gates/index.ts';
export { findHeldMilestone, heldAtMilestone, requireEarlierMilestone } from './hold-at.ts';
export { releasePlanListHandlers } from './list-routes.ts';
export { ownPatience } from './patience.ts';
export { activeMilestone, activeSince, type Plan } from './plan.ts';
export { presentGates } from './present.ts';
export { planProgression } from './progression.ts';
export { planReader, readPlans, type SafeguardsOfPlan } from './read-plans.ts';
export { type PlanAction, type Rehearsal, rehearse, type SafeguardsLook } from './rehearse.ts';
export { releasePlanHandlers } from './routes.ts';
export { createStepDowns, isDue, stepBelow } from './step-down.ts';
export { plansOn } from './store.ts';
