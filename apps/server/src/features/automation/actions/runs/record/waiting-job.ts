import type { NewJob } from '#storage/tx.ts';

const kind = 'waiting-runs';

/** The job that continues waiting runs. A run enqueues it when it begins to wait. */
export const waitingJob: NewJob = { kind, uniqueKey: kind };
