export { findLease, placeLease, releaseArchived, releaseLease } from './commands.ts';
export { startExpiries } from './expiry.ts';
export type { LeaseEffect, WantedLease } from './hold.ts';
export { leaseHandlers } from './routes.ts';
export { type Held, leasesInForce, placeKey } from './store.ts';
