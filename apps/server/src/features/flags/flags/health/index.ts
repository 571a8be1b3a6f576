export { overdue } from './overdue.ts';
export { flagPeriodCounts, leadTimes } from './period-counts.ts';
export { createStalenessCheck } from './staleness.ts';
export { flagStatistics, oldestFlags } from './statistics.ts';
