export { AccountCache } from './account-cache.ts';
export { renderParameters, renderParametersIfPossible } from './execute-action.ts';
export { haltReason } from './handle-signals.ts';
export { presentChange, presentRanAction, presentRun } from './present.ts';
export { actionRetention } from './retention.ts';
export { requireRun, runHandlers } from './routes.ts';
export {
  type Change,
  type Outcome,
  type RanAction,
  type RunContext,
  type RunState,
  runActions,
  runValues,
  toChange,
} from './run-actions.ts';
export { matchingViews, withRollback } from './run-set.ts';
export { Runner } from './runner.ts';
export { sealedRuns } from './sealed.ts';
export { findRuns, type Run, type RunWithSignal, setOfRun, takenBackBy } from './store.ts';
export { eventsOfRun, takeBack } from './take-back.ts';
