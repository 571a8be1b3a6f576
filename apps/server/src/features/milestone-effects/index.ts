export { milestoneEffectHandlers } from './routes.ts';
