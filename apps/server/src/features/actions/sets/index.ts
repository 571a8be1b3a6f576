export type { Action, ActionSet } from './action-set.ts';
export { checkSet, type SetLimits } from './check.ts';
export { createSet, draftSet, previewSet, requireSet, type SetInput, setEnabled, updateSet } from './commands.ts';
export { presentAction, presentSet, presentSetWithoutActions } from './present.ts';
export { type Outbound, requireReachable } from './require-reachable.ts';
export { actionSetHandlers } from './routes.ts';
export { sealedActions } from './sealed.ts';
export { enabledSetsOfEndpoint, findSet, setsOfEndpoint, setsOfProjects } from './store.ts';
export { storedAction, storedSet } from './stored-set.ts';
