export { CountBuffer, hourOf, type ReportedCount } from './counts.ts';
export { evaluationsSince } from './evaluations.ts';
export { type Instance, InstanceBuffer } from './instances.ts';
export { usageRetention } from './retention.ts';
export { rollUpCounts } from './roll-up.ts';
export { usageHandlers } from './routes.ts';
export { type Bucket, createUsage, type Reporter, type Usage } from './usage.ts';
