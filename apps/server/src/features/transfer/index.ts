export { transferHandlers } from './routes.ts';
