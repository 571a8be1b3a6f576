import { acknowledgementHandlers } from '../features/acknowledgements/index.ts';
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
import { requireEarlierMilestone, startStepDowns } from '../features/release-plans/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

/** Registers the release of holds on archived flags and starts the expiry of holds. */
export async function buildHolds({ config, clock, database, log, lifetime }: ServiceDependencies) {
  database.beforeCommit(releaseHoldsOfArchivedFlags);
  const stoppedOf = (kind: 'end of a hold' | 'hold steps down'): ReadStopped => {
    return async (db, now) => {
      const stops = await readStops(db, now);
      return (place) => stops.of(kind, place) !== undefined;
    };
  };
  const expiries = await startExpiries(database, clock, stoppedOf('end of a hold'), (error) =>
    log.error({ err: error }, 'expiring a hold failed'),
  );
  lifetime.onStop('expiry of holds', () => expiries.stop());
  const stepDowns = await startStepDowns(database, clock, stoppedOf('hold steps down'), (error) =>
    log.error({ err: error }, 'holding a flag further down failed'),
  );
  lifetime.onStop('steps of holds', () => stepDowns.stop());
  const announcements = await startAnnouncements(database, clock, (error) =>
    log.error({ err: error }, 'announcing the end of a hold failed'),
  );
  lifetime.onStop('announcements of holds', () => announcements.stop());
  const handlers = {
    ...holdHandlers(database, limitsOf(config).holds, requireEarlierMilestone),
    ...overrideHandlers(database, clock),
    ...freezeHandlers(database),
    ...acknowledgementHandlers(database),
  };
  return { expiries, stepDowns, announcements, handlers };
}
