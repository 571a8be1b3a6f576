import { readStops } from '#features/flags/automation-stops/index.ts';
import { freezeHandlers } from '#features/flags/freeze/index.ts';
import { createAnnouncements, createExpiries, holdHandlers, type ReadStopped } from '#features/flags/holds/index.ts';
import { overrideHandlers } from '#features/flags/overrides/index.ts';
import { acknowledgementHandlers } from '#features/integrations/acknowledgements/index.ts';
import { createStepDowns, requireEarlierMilestone } from '#features/releases/release-plans/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

/** Builds holds, overrides, the freeze and acknowledgements, and the schedulers of holds. */
export function buildHolds({ config, clock, database, log }: ServiceDependencies) {
  const stoppedOf = (kind: 'end of a hold' | 'hold steps down'): ReadStopped => {
    return async (db, now) => {
      const stops = await readStops(db, now);
      return (place) => stops.of(kind, place) !== undefined;
    };
  };
  const expiries = createExpiries(database, clock, stoppedOf('end of a hold'), (error) =>
    log.error({ err: error }, 'expiring a hold failed'),
  );
  const stepDowns = createStepDowns(database, clock, stoppedOf('hold steps down'), (error) =>
    log.error({ err: error }, 'holding a flag further down failed'),
  );
  const announcements = createAnnouncements(database, clock, (error) =>
    log.error({ err: error }, 'announcing the end of a hold failed'),
  );
  const handlers = {
    ...holdHandlers(database, limitsOf(config).holds, requireEarlierMilestone),
    ...overrideHandlers(database, clock),
    ...freezeHandlers(database),
    ...acknowledgementHandlers(database),
  };
  return { expiries, stepDowns, announcements, handlers };
}
