export { type OperatorAction, operatorJobs } from './operator-jobs.ts';
export { eventExportHandlers } from './routes.ts';
export { recordStart } from './start.ts';
