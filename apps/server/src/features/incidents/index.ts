export { incidentHandlers } from './routes.ts';
