export { archiveFeatures, deleteFeatures } from './archive-commands.ts';
export { markStale } from './commands.ts';
export { featureArchiveHandlers, featureHandlers } from './routes.ts';
