export { playgroundHandlers } from './routes.ts';
