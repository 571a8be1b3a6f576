import {
  type ChangeLimits,
  changeRequestHandlers,
  type PreviewRequest,
  previewRequest,
  startScheduler,
  syncOpenRequests,
} from '../features/change-requests/index.ts';
import type { TaskScheduler } from '../jobs/scheduler.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Builds the change request routes and starts the scheduler of change requests. */
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
  database.beforeCommit(syncOpenRequests);
  const schedules: TaskScheduler = await startScheduler(database, clock, limits, (error) =>
    log.error({ err: error }, 'applying a scheduled change request failed'),
  );
  lifetime.onStop('scheduled change requests', () => schedules.stop());
  const preview: PreviewRequest = (author, id, isHidden) => previewRequest(database, limits, author, id, isHidden);
  return { schedules, preview, handlers: changeRequestHandlers(database, limits) };
}
