export { type PreviewRequest, previewRequest } from './preview.ts';
export { strategiesRequesting } from './requested-segment-uses.ts';
export { changeRequestHandlers } from './routes.ts';
export { startScheduler } from './scheduler.ts';
export { syncOpenRequests } from './sync-open-requests.ts';
