export { eventHandlers } from './routes.ts';
