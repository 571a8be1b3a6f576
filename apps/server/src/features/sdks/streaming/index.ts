export { probeStreams } from './probe-streams.ts';
export { streamingHandlers } from './routes.ts';
export { type StreamAccess, Streams } from './streams.ts';
export type { Message, View } from './view.ts';
