export {
  copyDefaults,
  createDefaultStrategies,
  type DefaultStrategyFactory,
  defaultsByEnvironment,
  deleteDefaultsOfProject,
  loadDefaultStrategyFactory,
  setDefaultStrategy,
} from './commands.ts';
export { type DefaultStrategy, presentDefault as presentDefaultStrategy } from './default-strategy.ts';
export { defaultStrategyHandlers } from './routes.ts';
export { listDefaults as listDefaultStrategies } from './store.ts';
