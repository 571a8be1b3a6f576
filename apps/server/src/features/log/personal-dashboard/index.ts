export { personalDashboardHandlers } from './routes.ts';
