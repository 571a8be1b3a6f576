export { mayBreakGlass } from './break-glass.ts';
export { copyReviewSettings, requireEnvironmentOf, setRequiredApprovals } from './commands.ts';
export { eventScope } from './event-scope.ts';
export {
  bypassPermission,
  maySkipReview,
  type ReviewPolicy,
  refusedByReview,
  requireReview,
  skipReviewPermission,
} from './guard.ts';
export { changeControlHandlers } from './routes.ts';
export {
  type ReviewedEnvironment,
  type ReviewedUse,
  reviewedEnvironments,
  reviewedIn,
  reviewedUses,
} from './store.ts';
