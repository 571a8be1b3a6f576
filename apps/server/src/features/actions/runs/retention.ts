import { retentionJob } from '../../../jobs/retention.ts';
import type { JobKind } from '../../../jobs/runner.ts';

/** Deletes runs with the signals that set them off: each shows its payload. */
export function actionRetention(days: number): JobKind {
  return retentionJob('action-retention', [
    { table: 'action_runs', column: 'created_at', days },
    { table: 'action_effects', column: 'created_at', days: 90 },
  ]);
}
