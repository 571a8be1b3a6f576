export { notInEnvironment } from './state.ts';
export {
  connectStates,
  copyStates,
  disconnectStates,
  environmentsOf,
  insertStates,
  setEnabled,
  statesIn,
  switchOffEverywhere,
} from './store.ts';
