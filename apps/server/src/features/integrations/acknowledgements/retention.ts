import { retentionJob } from '#jobs/retention.ts';

/** Deletes acknowledgements after a year: what they are about has ended long ago, and their events are kept. */
export const acknowledgementRetention = retentionJob('acknowledgement-retention', [
  { table: 'acknowledgements', column: 'created_at', days: 365 },
]);
