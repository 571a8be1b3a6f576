export type { ChangeLimits } from './apply.ts';
export { followChanges } from './following.ts';
export { changeRequestHandlers } from './routes.ts';
export { startSchedules } from './scheduler.ts';
