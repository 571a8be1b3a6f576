export { applyPlan } from './apply.ts';
export type { DesiredState } from './desired-state.ts';
export type { StateFault, StateLimits } from './options.ts';
export {
  couldBreakGlass,
  describeMissing,
  ignoreReviewOnBreakGlass,
  type MissingPermission,
  missingExtras,
  missingPermissions,
} from './permissions.ts';
export { planState, type StatePlan } from './plan.ts';
export { changesAsText, stateHandlers } from './routes.ts';
