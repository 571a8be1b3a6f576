export { createDefinition, type StrategyPolicy } from './commands.ts';
export { strategyTypeHandlers } from './routes.ts';
export { findDefinition, listDefinitions } from './store.ts';
export { type DefinitionInput, newDefinition, type StrategyType } from './strategy-type.ts';
