export { overdue } from './overdue.ts';
export { flagPeriodCounts, leadTimes } from './period-counts.ts';
export { type StalenessCheck, startStalenessCheck } from './staleness.ts';
export { flagStatistics, oldestFlags } from './statistics.ts';
