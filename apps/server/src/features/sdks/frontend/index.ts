export { frontendHandlers } from './routes.ts';
