import { type IsOnHold, retentionJob } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import { withoutEvents } from './store.ts';

/**
 * Deletes incidents, with their notes, whose events retention has deleted. Retention of events deletes them last, so an
 * incident can be read as long as one of its events.
 */
export function incidentRetention(isOnHold: IsOnHold): JobKind {
  return retentionJob(
    'incident-retention',
    [{ table: 'incidents', column: 'last_at', days: 1, only: withoutEvents }],
    isOnHold,
  );
}
