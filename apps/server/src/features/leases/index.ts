export { placeLease, releaseArchived, releaseLease } from './commands.ts';
export { startExpiries } from './expiry.ts';
export type { WantedLease } from './lease.ts';
export { leaseHandlers } from './routes.ts';
