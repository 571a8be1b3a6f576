export { Caller, sealedCalls } from './calls/index.ts';
export { shownParameters } from './kinds/index.ts';
export { actionHandlers } from './routes.ts';
export { actionRetention, Runner, sealedRuns, whyHalted } from './runs/index.ts';
export {
  type ActionSet,
  checkSet,
  createSet,
  foreseen,
  type Outbound,
  requireReachable,
  type SetInput,
  type SetLimits,
  sealedActions,
  setEnabled,
  setsOfProjects,
  updateSet,
} from './sets/index.ts';
