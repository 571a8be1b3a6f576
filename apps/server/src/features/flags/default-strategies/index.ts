export {
  copyDefaults,
  defaultsByEnvironment,
  deleteDefaultsOfProject,
  newDefaultsFor,
  setDefaultStrategy,
} from './commands.ts';
export { defaultStrategyHandlers } from './routes.ts';
