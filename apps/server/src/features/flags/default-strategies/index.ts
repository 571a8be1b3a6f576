export {
  copyDefaults,
  defaultsByEnvironment,
  deleteDefaultsOfProject,
  loadDefaults,
  type MakeDefault,
  newDefaultsFor,
  setDefaultStrategy,
} from './commands.ts';
export { defaultStrategyHandlers } from './routes.ts';
