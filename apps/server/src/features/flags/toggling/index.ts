export { setFeatureEnabled } from './commands.ts';
export { featureEnvironmentHandlers } from './routes.ts';
