export {
  findHold,
  placeHold,
  releaseHold,
  releaseHoldsOfArchivedFlags,
  releaseSelected,
  renewHold,
} from './commands.ts';
export { type ReadStopped, startAnnouncements, startExpiries } from './expiry.ts';
export type { HoldRef, HoldRequest, RequestedEffect } from './hold.ts';
export { presentHeld } from './present.ts';
export { holdHandlers } from './routes.ts';
export {
  countHolds,
  type HoldInForce,
  heldUnder,
  holdsInForce,
  holdsOn,
  holdsOutside,
  listHolds,
  placeKey,
} from './store.ts';
