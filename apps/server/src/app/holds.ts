import { readStops } from '../features/automation-stops/index.ts';
import { freezeHandlers } from '../features/freeze/index.ts';
import {
  holdHandlers,
  type ReadStopped,
  releaseHoldsOfArchivedFlags,
  startAnnouncements,
  startExpiries,
} from '../features/holds/index.ts';
import { overrideHandlers } from '../features/overrides/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

/** Registers the release of holds on archived flags and starts the expiry of holds. */
export async function buildHolds({ config, clock, database, log, lifetime }: ServiceDependencies) {
  database.beforeCommit(releaseHoldsOfArchivedFlags);
  const readStopped: ReadStopped = async (db, now) => {
    const stops = await readStops(db, now);
    return (place) => stops.of('end of a hold', place) !== undefined;
  };
  const expiries = await startExpiries(database, clock, readStopped, (error) =>
    log.error({ err: error }, 'expiring a hold failed'),
  );
  lifetime.onStop('expiry of holds', () => expiries.stop());
  const announcements = await startAnnouncements(database, clock, (error) =>
    log.error({ err: error }, 'announcing the end of a hold failed'),
  );
  lifetime.onStop('announcements of holds', () => announcements.stop());
  const handlers = {
    ...holdHandlers(database, limitsOf(config).holds),
    ...overrideHandlers(database, clock),
    ...freezeHandlers(database),
  };
  return { expiries, announcements, handlers };
}
