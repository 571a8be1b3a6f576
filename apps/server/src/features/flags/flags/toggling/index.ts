export { setFeatureEnabled, setFeaturesEnabled } from './commands.ts';
export { featureEnvironmentHandlers } from './routes.ts';
