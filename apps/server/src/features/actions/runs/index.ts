export { askToHold, type FiringReport } from './ask-to-hold.ts';
export { droppedBy } from './decide.ts';
export { parametersOf, renderParameters, renderParametersIfPossible } from './execute-action.ts';
export { checkHours, outsideHours } from './hours.ts';
export { listUndecided, type UndecidedRun } from './list-undecided.ts';
export { compileMatch, matchingViews, setFor } from './matching-views.ts';
export { withSomethingToEnd } from './over-limit.ts';
export { presentChange, presentRanAction, presentRun } from './present.ts';
export { holdStaysText } from './renew-holds.ts';
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
export { RunFacts } from './run-facts.ts';
export { notRun } from './run-set.ts';
export { Runner } from './runner.ts';
export { sealedRuns } from './sealed.ts';
export { findRuns, type Run, type RunWithSignal, setOfRun, takenBackBy } from './store.ts';
export { eventsOfRun, takeBack } from './take-back.ts';
export { canTrigger, triggerOf } from './triggers.ts';
export { readableProjects, requireVisibleRun, visibleRun, withoutUrlPaths } from './visible-run.ts';
export { continueWaitingRuns } from './waiting.ts';
export { endedText, repeatedText } from './waiting-store.ts';
