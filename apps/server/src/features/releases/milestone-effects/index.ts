export { asSent, type CompareOptions, countChanges } from './count-changes.ts';
export { milestoneEffectHandlers } from './routes.ts';
