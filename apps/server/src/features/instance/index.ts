export { instanceHandlers } from './routes.ts';
