export { followEnvironments, setReview } from './commands.ts';
export { requireReview } from './guard.ts';
export { changeControlHandlers } from './routes.ts';
