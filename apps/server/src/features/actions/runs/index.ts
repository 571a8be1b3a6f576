export { actionRetention } from './retention.ts';
export { runHandlers } from './routes.ts';
export { Runner } from './runner.ts';
