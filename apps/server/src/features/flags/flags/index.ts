export { copyFlagsOfEnvironment } from './copy-environment.ts';
export { archiveFeatures, markStale } from './editing/index.ts';
export { requireLower, runIfLower } from './exposure/index.ts';
export { changeTags, taggedFlags } from './flag-tags/index.ts';
export { createStalenessCheck, overdue } from './health/index.ts';
export { recordLostHolds } from './lost-holds.ts';
export { projectFlags } from './project-flags.ts';
export { type FlagLimits, flagHandlers } from './routes.ts';
export { setFeatureEnabled, setFeaturesEnabled } from './toggling/index.ts';
