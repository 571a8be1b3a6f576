import { retentionJob } from '../../jobs/retention.ts';
import type { JobKind } from '../../jobs/runner.ts';

/** Forgets logins that are older than `days`; 0 keeps them for ever. */
export function loginHistoryRetention(days: number): JobKind {
  return retentionJob('login-history-retention', [{ table: 'login_history', column: 'created_at', days }]);
}
