export { applyPlan } from './apply.ts';
export type { StateFault, StateLimits } from './options.ts';
export { describeMissing, type MissingPermission, missingPermissions, unlessGlassIsBroken } from './permissions.ts';
export { planState, type StatePlan } from './plan.ts';
export { changesAsText, stateHandlers } from './routes.ts';
export type { WantedState } from './wanted-state.ts';
