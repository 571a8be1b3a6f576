export { Authors } from './authors.ts';
export { filledIn, renderedParameters } from './doing.ts';
export { whyHalted } from './handle.ts';
export { presentChange, presentRanAction, presentRun } from './present.ts';
export { matching, undoing } from './record.ts';
export { actionRetention } from './retention.ts';
export { requireRun, runHandlers } from './routes.ts';
export {
  type Change,
  changeOf,
  namedRun,
  type Outcome,
  type RanAction,
  type RunContext,
  type RunState,
  runActions,
} from './run.ts';
export { Runner } from './runner.ts';
export { sealedRuns } from './sealed.ts';
export { findRuns, type Run, type RunWithSignal, setOfRun, takenBackBy } from './store.ts';
export { eventsOfRun, takeBack } from './take-back.ts';
