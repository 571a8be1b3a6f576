export {
  copyDefaults,
  createDefaultStrategies,
  type DefaultStrategyFactory,
  defaultsByEnvironment,
  deleteDefaultsOfProject,
  loadDefaultStrategyFactory,
  setDefaultStrategy,
} from './commands.ts';
export { defaultStrategyHandlers } from './routes.ts';
