import { retentionJob } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import { sql } from '#storage/tx.ts';

/** After this time without a report, an instance counts as stopped. */
const instanceDays = 30;
const unknownFlagDays = 7;

export interface UsageDays {
  /** Days for which counts of evaluations are kept; 0 keeps them for ever. */
  readonly counts: number;
  /** Days after the last report after which an application is deleted, unless a person has described it. */
  readonly applications: number;
}

/** Deletes old counts, and applications, instances and unknown flags that were not reported for some time. */
export function usageRetention({ counts: days, applications }: UsageDays): JobKind {
  return retentionJob('usage-retention', [
    { table: 'client_metrics', column: 'hour', days },
    { table: 'client_metric_variants', column: 'hour', days },
    { table: 'client_metrics_daily', column: 'day', days },
    { table: 'client_metric_variants_daily', column: 'day', days },
    { table: 'application_instances', column: 'last_seen_at', days: instanceDays },
    { table: 'application_unknown_flags', column: 'last_seen_at', days: unknownFlagDays },
    { table: 'replica_reports', column: 'reported_at', days: instanceDays },
    { table: 'client_instances', column: 'last_seen_at', days: instanceDays },
    { table: 'application_flags', column: 'last_seen_at', days: applications },
    { table: 'unknown_flags', column: 'last_seen_at', days: unknownFlagDays },
    {
      table: 'client_applications',
      column: 'last_seen_at',
      days: applications,
      only: sql<boolean>`described = 0`,
    },
  ]);
}
