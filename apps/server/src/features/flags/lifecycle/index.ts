export { featureLifecycleHandlers } from './routes.ts';
export { createSightings } from './sightings.ts';
export { presentStage } from './stage.ts';
export { stageOf } from './store.ts';
export { lifecycleSummary } from './summary.ts';
