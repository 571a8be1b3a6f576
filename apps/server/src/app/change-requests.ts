import {
  type ChangeLimits,
  changeRequestHandlers,
  followChanges,
  type PreviewRequest,
  previewRequest,
  startSchedules,
} from '../features/change-requests/index.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Wires change requests, and starts the scheduler of scheduled ones. */
export async function buildChangeRequests({ config, clock, database, log, lifetime }: ServiceDependencies) {
  const limits: ChangeLimits = {
    strategies: {
      strategies: config.strategyLimit,
      constraints: config.constraintLimit,
      constraintValues: config.constraintValuesLimit,
      segments: config.strategySegmentsLimit,
    },
    segments: {
      segments: config.segmentLimit,
      constraints: config.constraintLimit,
      values: config.segmentValuesLimit,
    },
  };
  database.beforeCommit(followChanges);
  const schedules: Scheduler = await startSchedules(database, clock, limits, (error) =>
    log.error({ err: error }, 'applying a scheduled change request failed; it is retried'),
  );
  lifetime.onStop('scheduled change requests', () => schedules.stop());
  const preview: PreviewRequest = (author, id, isHidden) => previewRequest(database, limits, author, id, isHidden);
  return { schedules, preview, handlers: changeRequestHandlers(database, limits) };
}
