export type { Action, ActionSet } from './action-set.ts';
export type { SetLimits } from './check.ts';
export { draftSet, requireSet } from './commands.ts';
export { presentAction, presentSet, presentWithout } from './present.ts';
export { type Outbound, requireReachable } from './reachable.ts';
export { actionSetHandlers } from './routes.ts';
export { enabledSetsOf, findSet, setsOf } from './store.ts';
