import { retentionJob } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';

/** The days for which samples are kept, and the days for which a series is kept after its last report. */
const days = { samples: 1, series: 7 } as const;

/** Deletes samples older than a day, and series that no SDK reports any more. */
export const impactRetention: JobKind = retentionJob('impact-metric-retention', [
  { table: 'impact_samples', column: 'minute', days: days.samples },
  { table: 'impact_series', column: 'updated_at', days: days.series },
]);
