export { healthHandlers, systemHandlers } from './routes.ts';
