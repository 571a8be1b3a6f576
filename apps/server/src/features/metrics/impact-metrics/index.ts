export { requireMode } from './aggregate.ts';
export { readValue } from './query.ts';
export {
  describeNoData,
  lastMinute,
  newestRecent,
  type ReadRecent,
  type Recent,
  readRecent,
  reportDelayMs,
  windowOf,
} from './recent.ts';
export { createReadPastRecent } from './recent-past.ts';
export { bufferSamples, createImpactRecorder, type ImpactRecorder } from './recorder.ts';
export { seriesOf } from './report.ts';
export { requireRecent } from './require-recent.ts';
export { impactRetention } from './retention.ts';
export { impactMetricHandlers } from './routes.ts';
export type { Sample } from './store.ts';
