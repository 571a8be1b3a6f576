export { copyFlagsOfEnvironment } from './copy-environment.ts';
export { deleteDefaultsOfProject, loadDefaults } from './default-strategies/index.ts';
export {
  checkDependencies,
  eventsOf,
  type Fault,
  type FlagInEnvironment,
  type FlagPlan,
  type FlagRules,
  listFlagNames,
  listFlagNamesByProject,
  loadWholeFlags,
  noting,
  type ProjectOfFlags,
  planFlag,
  presentFlagNames,
  type WantedFlag,
  type WantedInEnvironment,
  type WantedStrategy,
  type WholeFlag,
  writeFlags,
} from './definitions/index.ts';
export {
  addDependency,
  type Dependency,
  dependenciesOf,
  presentDependency,
  removeDependencies,
  removeDependency,
} from './dependencies/index.ts';
export { archiveFeatures, markStale } from './editing/index.ts';
export {
  countInUse,
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  findFeature,
  findFeatures,
  flagsTagged,
  recordOf,
  requireFeature,
  requireFeatureNamed,
  requireUsable,
  tagsByFeature,
  tagsInProject,
} from './feature/index.ts';
export { overdue, type Staleness, watchStaleness } from './health/index.ts';
export { type Hold, type Holder, holdColumns, inForce, presentHold, toHold } from './holds/index.ts';
export { createSightings, stageOf } from './lifecycle/index.ts';
export { projectFlags } from './project-flags.ts';
export {
  type ClientFeature,
  type ClientStrategy,
  type FeatureView,
  featuresAsText,
  loadClientFeatures,
  pagesOfFeatures,
  pagesOfNamed,
  presentFeature,
} from './reading/index.ts';
export { type FlagLimits, flagHandlers } from './routes.ts';
export { notInEnvironment, statesIn } from './states/index.ts';
export {
  addStrategy,
  changeStrategy,
  deleteStrategy,
  listStrategies,
  orderDecides,
  orderStrategies,
  type Strategy,
  type StrategyLimits,
  strategyEventData,
} from './strategies/index.ts';
export { changeTags, taggedFlags } from './tags/index.ts';
export { setFeatureEnabled, setFeaturesEnabled } from './toggling/index.ts';
export { changeVariants, type FlagVariant, listVariants } from './variants/index.ts';
