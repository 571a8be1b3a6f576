export { nowHandlers } from './routes.ts';
