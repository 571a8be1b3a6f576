export { serviceAccountHandlers } from './routes.ts';
