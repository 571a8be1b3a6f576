export { Activity } from './activity.ts';
export { activityHandlers } from './routes.ts';
