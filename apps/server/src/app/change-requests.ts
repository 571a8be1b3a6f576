import {
  changeRequestHandlers,
  type PreviewRequest,
  previewRequest,
  startScheduler,
  syncOpenRequests,
} from '../features/change-requests/index.ts';
import type { TaskScheduler } from '../jobs/scheduler.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

/** Builds the change request routes and starts the scheduler of change requests. */
export async function buildChangeRequests({ config, clock, database, log, lifetime }: ServiceDependencies) {
  const limits = limitsOf(config);
  database.beforeCommit(syncOpenRequests);
  const schedules: TaskScheduler = await startScheduler(database, clock, limits, (error) =>
    log.error({ err: error }, 'applying a scheduled change request failed'),
  );
  lifetime.onStop('scheduled change requests', () => schedules.stop());
  const preview: PreviewRequest = (author, id, isHidden) => previewRequest(database, limits, author, id, isHidden);
  return { schedules, preview, handlers: changeRequestHandlers(database, limits) };
}
