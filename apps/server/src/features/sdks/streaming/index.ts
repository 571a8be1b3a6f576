export { streamingHandlers, streamsHandlers } from './routes.ts';
