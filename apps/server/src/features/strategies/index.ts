export type { StrategyDefinition } from './definition.ts';
export { strategyDefinitionHandlers } from './routes.ts';
export { findDefinition, listDefinitions } from './store.ts';
