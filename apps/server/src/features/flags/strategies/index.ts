export {
  addStrategy,
  changeChosenStrategy,
  changeStrategy,
  checkAndRevise,
  deleteStrategy,
  exchangeStrategies,
  orderStrategies,
} from './commands.ts';
export { copyStrategies } from './copy.ts';
export { orderAffectsVariants } from './order.ts';
export { presentStrategy } from './present.ts';
export { strategyHandlers } from './routes.ts';
export { strategySegmentHandlers } from './segment-routes.ts';
export {
  activateStrategies,
  deleteStrategyRows,
  insertStrategies,
  listStrategies,
  strategyColumns,
  updateStrategyRow,
} from './store.ts';
export {
  checkPatternsOf,
  completeParameters,
  emptyStrategy,
  fullRollout,
  type Kept,
  revise,
  type Strategy,
  type StrategyInput,
  type StrategyLimits,
  sortOrderAfter,
  strategyEventData,
} from './strategy.ts';
export { constraintFaults, payloadFaults, strategyFaults } from './value-faults.ts';
