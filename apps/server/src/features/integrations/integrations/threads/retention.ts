import { retentionJob } from '#jobs/retention.ts';

/** Deletes threads that had no message for 30 days. Deliveries are kept for the same time. */
export const threadRetention = retentionJob('message-thread-retention', [
  { table: 'message_threads', column: 'last_event_at', days: 30 },
]);
