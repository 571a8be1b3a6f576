import { retentionJob } from '../../../jobs/retention.ts';
import type { JobKind } from '../../../jobs/runner.ts';

/** Deletes runs together with the signals that caused them, because a run shows the payload. */
export function actionRetention(days: number): JobKind {
  return retentionJob('action-retention', [
    { table: 'action_runs', column: 'created_at', days },
    { table: 'action_effects', column: 'created_at', days: 90 },
  ]);
}
