export { notInEnvironment } from './state.ts';
export {
  addStates,
  copyStates,
  environmentsOf,
  insertStates,
  putStates,
  removeStates,
  setEnabled,
  statesIn,
  switchOffEverywhere,
} from './store.ts';
