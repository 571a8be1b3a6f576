export { applyPlan } from './apply.ts';
export type { StateFault, StateLimits } from './options.ts';
export { type MissingPermission, missingPermissions } from './permissions.ts';
export { planState, type StatePlan } from './plan.ts';
export type { WantedState } from './wanted-state.ts';
