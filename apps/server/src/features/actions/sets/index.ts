export type { Action, ActionSet } from './action-set.ts';
export { checkSet, type SetLimits } from './check.ts';
export { createSet, draftSet, foreseen, requireSet, type SetInput, setEnabled, updateSet } from './commands.ts';
export { presentAction, presentSet, presentWithout } from './present.ts';
export { type Outbound, requireReachable } from './reachable.ts';
export { actionSetHandlers } from './routes.ts';
export { sealedActions } from './sealed.ts';
export { enabledSetsOf, findSet, setsOf, setsOfProjects } from './store.ts';
