export { readFreeze } from './freeze.ts';
export { freezeHandlers } from './routes.ts';
