export { actionsOnFlag } from './actions-on-flag.ts';
export { dryRunHandlers } from './routes.ts';
