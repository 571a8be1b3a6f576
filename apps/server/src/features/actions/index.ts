export { callDeliveries, callRetention, ensureSigningKey, sealedCallKeys, sealedCalls } from './calls/index.ts';
export { readFreeze } from './freeze/index.ts';
export { listRunsOf } from './history/index.ts';
export { nothingToReleaseText, shownParameters } from './kinds/index.ts';
export { actionHandlers } from './routes.ts';
export {
  actionRetention,
  continueWaitingRuns,
  haltReason,
  type Outcome,
  outsideHours,
  Runner,
  readableProjects,
  sealedRuns,
} from './runs/index.ts';
export {
  type ActionSet,
  checkSet,
  createSet,
  keepWhatActionsNeed,
  type Outbound,
  previewSet,
  requireReachable,
  type SetInput,
  type SetLimits,
  sealedActions,
  setEnabled,
  setsOfProjects,
  updateSet,
} from './sets/index.ts';
