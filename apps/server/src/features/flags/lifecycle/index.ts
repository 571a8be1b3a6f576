export { featureLifecycleHandlers } from './routes.ts';
export { presentStage } from './stage.ts';
export { createStageTracker } from './stage-tracker.ts';
export { stageOf } from './store.ts';
export { lifecycleSummary } from './summary.ts';
