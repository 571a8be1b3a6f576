export { actionableRequests, scheduledBefore } from './actionable.ts';
export { type PreviewRequest, previewRequest } from './preview.ts';
export { recordRoleGrants } from './record-role-grants.ts';
export { type ChangeRequest, titleOf } from './request.ts';
export { strategiesRequesting } from './requested-segment-uses.ts';
export { mailReviewers } from './review-mail.ts';
export { changeRequestHandlers } from './routes.ts';
export { startScheduler } from './scheduler.ts';
export { syncOpenRequests } from './sync-open-requests.ts';
