export { callDeliveries, callRetention, ensureSigningKey, sealedCallKeys, sealedCalls } from './calls/index.ts';
export { actionsOnFlag } from './dry-run/index.ts';
export {
  alertsOfRuns,
  handledSignals,
  type ListedRun,
  type ListeningSet,
  listRunsOf,
  newestRunOfSets,
  outcomesOfRuns,
  type RunOutcome,
  runsOfAlerts,
  type SignalRun,
  setsListeningTo,
  takeBacksAmong,
} from './history/index.ts';
export { nothingToReleaseText, shownParameters } from './kinds/index.ts';
export { isBeforeEnd, storableCondition } from './matching/index.ts';
export { actionHandlers } from './routes.ts';
export {
  actionRetention,
  askToHold,
  continueWaitingRuns,
  droppedBy,
  endedText,
  type FiringReport,
  listUndecided,
  type Outcome,
  outsideHours,
  type RunContext,
  Runner,
  readableProjects,
  repeatedText,
  sealedRuns,
  type UndecidedRun,
} from './runs/index.ts';
export {
  type ActionSet,
  type BlockedSet,
  checkSet,
  createSet,
  keepWhatActionsNeed,
  listBlockedSets,
  noteBlockedSets,
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
