import type { SendToUser } from '#features/platform/email/index.ts';
import {
  changeRequestHandlers,
  createScheduler,
  mailReviewers,
  type PreviewRequest,
  previewRequest,
} from '#features/review/change-requests/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

/** Returns the function that sends e-mail about a change request to those who may review it. */
export function reviewMailer(
  { database, log, publicUrl }: ServiceDependencies,
  sendToUser: SendToUser,
): (id: number) => void {
  return (id) => {
    mailReviewers(database.db, { id, sendToUser, publicUrl: publicUrl() }).catch((error: unknown) =>
      log.error({ err: error }, 'sending e-mail about a review failed'),
    );
  };
}

/** Builds the routes and the scheduler of change requests. */
export function buildChangeRequests(
  { config, clock, database, log }: ServiceDependencies,
  onReview: (id: number) => void,
) {
  const limits = limitsOf(config);
  const schedules = createScheduler(database, clock, limits, (error) =>
    log.error({ err: error }, 'applying a scheduled change request failed'),
  );
  const preview: PreviewRequest = (author, id, isHidden) => previewRequest(database, limits, author, id, isHidden);
  return { schedules, preview, handlers: changeRequestHandlers(database, limits, onReview) };
}
