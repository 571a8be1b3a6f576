import { leaseHandlers, releaseArchived, startExpiries } from '../features/holds/index.ts';
import type { ServiceParts } from './parts.ts';

/** What holds flags for a while in another state than the configured one. */
export async function buildLeases({ config, clock, database, log, lifetime }: ServiceParts) {
  database.beforeCommit(releaseArchived);
  const expiries = await startExpiries(database, clock, (error) =>
    log.error({ err: error }, 'ending a lease that has expired met trouble'),
  );
  lifetime.onStop('expiries of leases', () => expiries.stop());
  return { expiries, handlers: leaseHandlers(database, config.leaseLimit) };
}
