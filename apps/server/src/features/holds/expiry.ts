import { type Alarm, startAlarm } from '../../jobs/alarm.ts';
import { systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { expireLeases } from './commands.ts';
import { nextExpiry } from './store.ts';

/** Ends leases at the time they expire: once, by whichever process is first. */
export function startExpiries(database: Database, clock: Clock, onError: (error: unknown) => void): Promise<Alarm> {
  return startAlarm({
    database,
    clock,
    next: () => nextExpiry(database.db),
    run: async (place) => {
      await database.write({ actor: systemActor, cause: {} }, (tx) => expireLeases(tx, place));
    },
    sets: ({ type }) => type === 'feature-lease-placed' || type === 'feature-lease-updated',
    onError,
  });
}
