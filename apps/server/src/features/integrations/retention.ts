import { retentionJob } from '../../jobs/retention.ts';

/** How long it can be looked up what was sent to an integration. */
const logDays = 14;

export const integrationRetention = retentionJob('integration-log-retention', [
  { table: 'integration_events', column: 'created_at', days: logDays },
]);
