export { overdue } from './overdue.ts';
export { type Staleness, watchStaleness } from './staleness.ts';
export { flagStatistics, oldestFlags } from './statistics.ts';
export { flagWindows, leadTimes } from './windows.ts';
