export { historyHandlers } from './routes.ts';
export {
  alertsOfRuns,
  handledSignals,
  type ListeningSet,
  outcomesOfRuns,
  type RunOutcome,
  runsOfAlerts,
  type SignalRun,
  setsListeningTo,
  takeBacksAmong,
} from './runs-of-signals.ts';
export { type ListedRun, listRunsOf, newestRunOfSets } from './store.ts';
