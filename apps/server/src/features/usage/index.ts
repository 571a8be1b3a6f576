export { usageRetention } from './retention.ts';
export { createUsage, type Usage } from './usage.ts';
