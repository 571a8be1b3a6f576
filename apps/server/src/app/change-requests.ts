import {
  type ChangeLimits,
  changeRequestHandlers,
  followChanges,
  type PreviewRequest,
  previewRequest,
  startSchedules,
} from '../features/change-requests/index.ts';
import type { Alarm } from '../jobs/alarm.ts';
import type { ServiceParts } from './parts.ts';

/** Changes that are reviewed before they are made, and those that are made at a set time. */
export async function buildChangeRequests({ config, clock, database, log, lifetime }: ServiceParts) {
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
  const schedules: Alarm = await startSchedules(database, clock, limits, (error) =>
    log.error({ err: error }, 'a scheduled change request met trouble'),
  );
  lifetime.onStop('scheduled change requests', () => schedules.stop());
  const preview: PreviewRequest = (author, id, isHidden) => previewRequest(database, limits, author, id, isHidden);
  return { schedules, preview, handlers: changeRequestHandlers(database, limits) };
}
