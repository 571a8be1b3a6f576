export { createDefinition, type StrategyPolicy } from './commands.ts';
export { type DefinitionInput, newDefinition, type StrategyDefinition } from './definition.ts';
export { strategyDefinitionHandlers } from './routes.ts';
export { findDefinition, listDefinitions } from './store.ts';
