export { flagSearchHandlers } from './routes.ts';
