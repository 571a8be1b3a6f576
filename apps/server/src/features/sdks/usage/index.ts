export { evaluationsSince } from './evaluations.ts';
export { usageRetention } from './retention.ts';
export { rollUpCounts } from './roll-up.ts';
export { usageHandlers } from './routes.ts';
export { createUsage, type Usage } from './usage.ts';
