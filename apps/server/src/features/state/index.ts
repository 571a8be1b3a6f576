export { applyPlan } from './apply.ts';
export type { StateFault, StateLimits } from './options.ts';
export {
  couldBreakGlass,
  describeMissing,
  type MissingPermission,
  missingExtras,
  missingPermissions,
  unlessGlassIsBroken,
} from './permissions.ts';
export { planState, type StatePlan } from './plan.ts';
export { changesAsText, stateHandlers } from './routes.ts';
export type { WantedState } from './wanted-state.ts';
