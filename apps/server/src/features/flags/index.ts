export {
  type ClientFeature,
  type ClientStrategy,
  loadClientFeatures,
} from './client-features.ts';
export { presentDependency } from './dependency.ts';
export type { FeatureRef } from './feature.ts';
export { overdue } from './overdue.ts';
export { featuresAsText } from './present.ts';
export { projectFlags } from './project-flags.ts';
export { pagesOfNamed } from './queries.ts';
export { requireFeature, requireFeatureNamed } from './require.ts';
export { flagHandlers } from './routes.ts';
export { setFeatureEnabled } from './state-commands.ts';
export { taggedFlags } from './tagged-flags.ts';
