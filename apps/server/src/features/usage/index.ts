export { usageRetention } from './retention.ts';
export { usageHandlers } from './routes.ts';
export { createUsage, type Usage } from './usage.ts';
