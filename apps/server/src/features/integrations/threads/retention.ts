import { retentionJob } from '../../../jobs/retention.ts';

/** Deletes threads without a message for 30 days, as long as deliveries are kept. */
export const threadRetention = retentionJob('message-thread-retention', [
  { table: 'message_threads', column: 'last_event_at', days: 30 },
]);
