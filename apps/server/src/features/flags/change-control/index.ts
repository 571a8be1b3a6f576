export { mayBreakGlass } from './break-glass.ts';
export { unacknowledgedUses } from './break-glass-store.ts';
export { copyReviewSettings, requireEnvironmentOf, setRequiredApprovals } from './commands.ts';
export { eventScope } from './event-scope.ts';
export {
  bypassPermission,
  maySkipReview,
  refusedByReview,
  requireReview,
  skipReviewPermission,
} from './guard.ts';
export type { ReviewPolicy } from './review-policy.ts';
export { changeControlHandlers } from './routes.ts';
export { notAPerson, secondPersonCheck, secondPersonProblem } from './second-person.ts';
export {
  type ReviewedEnvironment,
  type ReviewedUse,
  reviewedEnvironments,
  reviewedIn,
  reviewedUses,
} from './store.ts';
