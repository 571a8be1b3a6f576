export { Authors } from './authors.ts';
export { renderedParameters } from './doing.ts';
export { whyHalted } from './handle.ts';
export { presentRanAction } from './present.ts';
export { matching, undoing } from './record.ts';
export { actionRetention } from './retention.ts';
export { runHandlers } from './routes.ts';
export { type Outcome, type RunContext, runActions } from './run.ts';
export { Runner } from './runner.ts';
