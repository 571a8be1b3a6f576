export { checkParameters } from './parameters.ts';
export { hasThreads, requireSink, sinks } from './registry.ts';
export type { CausingAlert, Sink, SinkContext } from './sink.ts';
