export { followEnvironments, setReview } from './commands.ts';
export { refusedByReview, requireReview } from './guard.ts';
export { changeControlHandlers } from './routes.ts';
