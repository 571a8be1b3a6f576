export { hasThreads, requireSink, sinks } from './registry.ts';
export type { Sink, SinkContext } from './sink.ts';
