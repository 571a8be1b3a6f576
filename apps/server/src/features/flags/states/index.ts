export { notInEnvironment } from './state.ts';
export {
  connectStates,
  disconnectStates,
  environmentsOf,
  insertStates,
  setEnabled,
  statesIn,
  switchOffEverywhere,
} from './store.ts';
