export { projectAccessHandlers } from './routes.ts';
