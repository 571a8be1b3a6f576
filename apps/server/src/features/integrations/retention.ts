import { retentionJob } from '../../jobs/retention.ts';

/** The number of days that deliveries of integrations are kept. */
const deliveryRetentionDays = 14;

export const integrationRetention = retentionJob('integration-log-retention', [
  { table: 'integration_events', column: 'created_at', days: deliveryRetentionDays },
]);
