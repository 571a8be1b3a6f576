export { notInEnvironment } from './state.ts';
export {
  connectStates,
  copyStates,
  disconnectStates,
  environmentsOf,
  insertStates,
  putStates,
  setEnabled,
  statesIn,
  switchOffEverywhere,
} from './store.ts';
