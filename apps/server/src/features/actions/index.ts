export { Caller } from './calls/index.ts';
export { shownParameters } from './kinds/index.ts';
export { actionHandlers } from './routes.ts';
export { actionRetention, Runner, whyHalted } from './runs/index.ts';
export {
  type ActionSet,
  checkSet,
  createSet,
  foreseen,
  type Outbound,
  requireReachable,
  type SetInput,
  type SetLimits,
  setEnabled,
  setsOfProjects,
  updateSet,
} from './sets/index.ts';
