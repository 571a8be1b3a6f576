export { copyFlagsOfEnvironment } from './copy-environment.ts';
export { deleteDefaultsOfProject } from './default-strategies/index.ts';
export { presentDependency } from './dependencies/index.ts';
export { type FeatureRef, requireFeature, requireFeatureNamed } from './feature/index.ts';
export { overdue } from './overdue.ts';
export { projectFlags } from './project-flags.ts';
export {
  type ClientFeature,
  type ClientStrategy,
  featuresAsText,
  loadClientFeatures,
  pagesOfNamed,
} from './reading/index.ts';
export { type FlagLimits, flagHandlers } from './routes.ts';
export { taggedFlags } from './tags/index.ts';
export { setFeatureEnabled } from './toggling/index.ts';
