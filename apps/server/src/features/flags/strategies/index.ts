export { addStrategy, changeStrategy, deleteStrategy, orderStrategies, revised } from './commands.ts';
export { copyStrategies } from './copy.ts';
export { orderDecides } from './order.ts';
export { presentStrategy } from './present.ts';
export { strategyHandlers } from './routes.ts';
export { strategySegmentHandlers } from './segment-routes.ts';
export {
  activateStrategies,
  deleteStrategyRows,
  insertStrategies,
  listStrategies,
  updateStrategyRow,
} from './store.ts';
export {
  checkPatternsOf,
  completeParameters,
  emptyStrategy,
  forEveryone,
  placeAfter,
  revise,
  type Strategy,
  type StrategyInput,
  type StrategyLimits,
  strategyEventData,
} from './strategy.ts';
