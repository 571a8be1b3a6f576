export { streamingHandlers } from './routes.ts';
export { Streams } from './streams.ts';
