export { changeTags, taggedFlags } from '#features/flags/flags/tags/index.ts';
export { copyFlagsOfEnvironment } from './copy-environment.ts';
export {
  type DefaultStrategy,
  deleteDefaultsOfProject,
  listDefaultStrategies,
  loadDefaultStrategyFactory,
  presentDefaultStrategy,
} from './default-strategies/index.ts';
export {
  addFault,
  checkDependencies,
  collectFaults,
  type DesiredEnvironment,
  type DesiredFlag,
  type DesiredStrategy,
  eventsOfPlan,
  existingFlagNames,
  type Fault,
  type FlagDefinition,
  type FlagInEnvironment,
  type FlagPlan,
  type FlagRules,
  listFlagNames,
  listFlagNamesByProject,
  loadFlagDefinitions,
  type PlanEvent,
  type ProjectWithEnvironments,
  planFlag,
  planMilestoneStrategy,
  revived,
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
export { requireLower, runIfLower } from './exposure/index.ts';
export {
  countInUse,
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  findFeature,
  findFeatures,
  flagsTagged,
  recordEventsWithTags,
  recordFeatureEvents,
  requireFeature,
  requireFeatureNamed,
  requireUsable,
  tagsByFeature,
  tagsInProject,
} from './feature/index.ts';
export { createStalenessCheck, overdue } from './health/index.ts';
export {
  type HeldAlert,
  type HeldMilestone,
  type Hold,
  type Holder,
  holdColumns,
  holdEffectColumns,
  inForce,
  milestoneText,
  presentHold,
  shareOf,
  stateOf,
  toHold,
  toHoldEffect,
} from './held-state/index.ts';
export { createStageTracker, stageOf } from './lifecycle/index.ts';
export { recordLostHolds } from './lost-holds.ts';
export { projectFlags } from './project-flags.ts';
export {
  type ClientFeature,
  type ClientStrategy,
  type FeatureView,
  featuresAsJsonText,
  loadClientFeatures,
  type PlanReader,
  pagesOfFeatures,
  pagesOfNamed,
  presentFeature,
  toClientStrategy,
} from './reading/index.ts';
export { type FlagLimits, flagHandlers } from './routes.ts';
export { notInEnvironment, statesIn } from './states/index.ts';
export {
  addStrategy,
  changeChosenStrategy,
  changeStrategy,
  checkAndRevise,
  constraintFaults,
  deleteStrategy,
  emptyStrategy,
  exchangeStrategies,
  type Kept,
  listStrategies,
  orderAffectsVariants,
  orderStrategies,
  payloadFaults,
  presentStrategy,
  revise,
  type Strategy,
  type StrategyInput,
  type StrategyLimits,
  strategyColumns,
  strategyEventData,
  strategyFaults,
} from './strategies/index.ts';
export { setFeatureEnabled, setFeaturesEnabled } from './toggling/index.ts';
export { changeVariants, type FlagVariant, flagVariantsColumn, listVariants } from './variants/index.ts';
