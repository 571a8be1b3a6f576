import { retentionJob } from '../../jobs/retention.ts';
import type { JobKind } from '../../jobs/runner.ts';
import { sql } from '../../storage/tx.ts';

/** An SDK that has not been heard of for so long does not run any more. */
const instanceDays = 30;
/** A flag that is asked for no more, or that there is now, is soon not reported as unknown. */
const unknownFlagDays = 7;

export interface UsageDays {
  /** How long counts of evaluations are kept; 0 keeps them for ever. */
  readonly counts: number;
  /** After how long an application is forgotten that nobody has described. */
  readonly applications: number;
}

/** Deletes counts that are old enough, and applications, instances and their flags that were not heard of for so long. */
export function usageRetention({ counts: days, applications }: UsageDays): JobKind {
  return retentionJob('usage-retention', [
    { table: 'client_metrics', column: 'hour', days },
    { table: 'client_metric_variants', column: 'hour', days },
    { table: 'client_metrics_daily', column: 'day', days },
    { table: 'client_metric_variants_daily', column: 'day', days },
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
