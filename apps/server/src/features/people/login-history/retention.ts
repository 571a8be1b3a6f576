import { type IsOnHold, retentionJob } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import { quietDays } from './login-delay.ts';

/** Creates the job that deletes logins older than `days` (0 keeps them for ever) and expired counts of failures. */
export function loginHistoryRetention(days: number, isOnHold: IsOnHold): JobKind {
  return retentionJob(
    'login-history-retention',
    [
      { table: 'login_history', column: 'created_at', days },
      { table: 'login_delays', column: 'failed_at', days: quietDays },
    ],
    isOnHold,
  );
}
