export { streamingHandlers } from './routes.ts';
