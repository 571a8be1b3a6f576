export { findHold, placeHold, releaseHold, releaseHoldsOfArchivedFlags } from './commands.ts';
export { startExpiries } from './expiry.ts';
export type { HoldRequest, RequestedEffect } from './hold.ts';
export { holdHandlers } from './routes.ts';
export { type HoldInForce, holdsInForce, placeKey } from './store.ts';
