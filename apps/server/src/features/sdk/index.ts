export { createSdkGuard } from './guard.ts';
export { ReadyAnswers } from './ready-answers.ts';
export { sdkHandlers } from './routes.ts';
export { Snapshot } from './snapshot.ts';
