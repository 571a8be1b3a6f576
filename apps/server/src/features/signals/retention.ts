import { retentionJob } from '../../jobs/retention.ts';
import type { JobKind } from '../../jobs/runner.ts';
import { deliveryRetentionDays } from './deliveries.ts';

/** Deletes signals older than `days` (0 keeps them for ever), and delivery keys that are no longer recognised. */
export function signalRetention(days: number): JobKind {
  return retentionJob('signal-retention', [
    { table: 'signals', column: 'created_at', days },
    { table: 'signal_deliveries', column: 'created_at', days: deliveryRetentionDays },
  ]);
}
