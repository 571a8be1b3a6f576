export { mayBreakGlass } from './break-glass.ts';
export { copyReviewOfEnvironment, requireEnvironmentOf, setReview } from './commands.ts';
export {
  bypassPermission,
  maySkipReview,
  needsToSkipReview,
  type ReviewPolicy,
  refusedByReview,
  requireReview,
} from './guard.ts';
export { reachOf } from './reach.ts';
export { changeControlHandlers } from './routes.ts';
export {
  type ReviewedEnvironment,
  type ReviewedUse,
  reviewedEnvironments,
  reviewedIn,
  reviewedUses,
} from './store.ts';
