export {
  findHold,
  placeHold,
  releaseHold,
  releaseHoldsOfArchivedFlags,
  releaseSelected,
  renewHold,
} from './commands.ts';
export { createAnnouncements, createExpiries, type ReadStopped } from './expiry.ts';
export type { HoldRef, HoldRequest, Pace, RequestedEffect } from './hold.ts';
export { endOrRest, stepDownHold } from './pace.ts';
export { presentHeld } from './present.ts';
export { holdHandlers } from './routes.ts';
export {
  countHolds,
  type HoldInForce,
  heldUnder,
  holdsIn,
  holdsInForce,
  holdsOn,
  holdsOutside,
  listHolds,
  nextStepDown,
  placeKey,
} from './store.ts';
