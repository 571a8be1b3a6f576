import { retentionJob } from '../../jobs/retention.ts';
import type { JobKind } from '../../jobs/runner.ts';

/** An SDK that has not been heard of for so long does not run any more. */
const instanceDays = 30;

/** Deletes counts of evaluations older than `days` (0 keeps them for ever) and instances that are gone. */
export function usageRetention(days: number): JobKind {
  return retentionJob('usage-retention', [
    { table: 'client_metrics', column: 'hour', days },
    { table: 'client_metric_variants', column: 'hour', days },
    { table: 'client_instances', column: 'last_seen_at', days: instanceDays },
  ]);
}
