export { historyHandlers } from './routes.ts';
export { listRunsOf } from './store.ts';
