import { retentionJob } from '../../jobs/retention.ts';
import type { JobKind } from '../../jobs/runner.ts';
import { quietDays } from './login-delay.ts';

/** Forgets logins that are older than `days`, 0 keeping them for ever, and failures that delay none any more. */
export function loginHistoryRetention(days: number): JobKind {
  return retentionJob('login-history-retention', [
    { table: 'login_history', column: 'created_at', days },
    { table: 'login_delays', column: 'failed_at', days: quietDays },
  ]);
}
