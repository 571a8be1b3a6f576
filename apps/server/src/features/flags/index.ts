export {
  type ClientFeature,
  type ClientStrategy,
  loadClientFeatures,
} from './client-features.ts';
export { projectFlags } from './project-flags.ts';
export { flagHandlers } from './routes.ts';
export { setFeatureEnabled } from './state-commands.ts';
