export { CallSender, sealedCalls } from './calls/index.ts';
export { shownParameters } from './kinds/index.ts';
export { actionHandlers } from './routes.ts';
export { actionRetention, haltReason, Runner, sealedRuns } from './runs/index.ts';
export {
  type ActionSet,
  checkSet,
  createSet,
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
