export { dryRunHandlers } from './routes.ts';
