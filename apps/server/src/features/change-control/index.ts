export { copyReviewOfEnvironment, requireEnvironmentOf, setReview } from './commands.ts';
export { maySkipReview, needsToSkipReview, refusedByReview, requireReview } from './guard.ts';
export { reachOf } from './reach.ts';
export { changeControlHandlers } from './routes.ts';
export { type ReviewedEnvironment, reviewedEnvironments, reviewedIn } from './store.ts';
