export { fullAnswer, hydration } from './assemble.ts';
export { type EvaluatedAnswer, evaluatedAnswer } from './evaluated-answer.ts';
export { FeatureQuery, queryFor } from './feature-query.ts';
export { FlagSets } from './flag-sets.ts';
export { createSdkGuard } from './guard.ts';
export { ReadyAnswers } from './ready-answers.ts';
export { placeOf, sdkHandlers } from './routes.ts';
export type { ServedFlag } from './served-flag.ts';
export { Snapshot } from './snapshot.ts';
