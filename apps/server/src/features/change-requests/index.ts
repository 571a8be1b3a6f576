export type { ChangeLimits } from './apply.ts';
export { followChanges } from './following.ts';
export { type PreviewRequest, previewRequest } from './preview.ts';
export { changeRequestHandlers } from './routes.ts';
export { startSchedules } from './scheduler.ts';
