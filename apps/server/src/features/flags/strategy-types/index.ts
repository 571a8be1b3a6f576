export { createStrategyType, type StrategyPolicy } from './commands.ts';
export { strategyTypeHandlers } from './routes.ts';
export { findStrategyType, listStrategyTypes } from './store.ts';
export { newStrategyType, type StrategyType, type StrategyTypeInput } from './strategy-type.ts';
