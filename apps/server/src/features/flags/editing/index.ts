export { archiveFeatures, deleteFeatures } from './archive-commands.ts';
export { featureArchiveHandlers, featureHandlers } from './routes.ts';
