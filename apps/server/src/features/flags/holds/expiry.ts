import { touches } from '#features/platform/event-effects/index.ts';
import { createTaskScheduler } from '#jobs/scheduler.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { announceExpiry, expireHolds } from './commands.ts';
import { nextAnnouncement, nextExpiry, type Place } from './store.ts';

const author: Author = { actor: systemActor, cause: {} };

/** Reads the flags whose holds do not end at their time now, because automation is stopped. */
export type ReadStopped = (db: Db, now: number) => Promise<(place: Place) => boolean>;

/**
 * Ends holds when they expire, and later those that expire while automation is stopped. When several processes use one
 * database, only one of them ends each hold.
 */
export function createExpiries(
  database: Database,
  clock: Clock,
  readStopped: ReadStopped,
  onError: (error: unknown) => void,
) {
  const { sets, ...options } = ofHolds(database, clock, onError);
  return createTaskScheduler({
    ...options,
    next: async () => nextExpiry(database.db, await readStopped(database.db, clock.now())),
    run: (place) =>
      database.write(author, async (tx) => {
        const isStopped = await readStopped(tx.db, tx.now);
        if (!isStopped(place)) await expireHolds(tx, place);
      }),
    sets: (event) => sets(event) || touches(event, 'automation-stops'),
  });
}

/** Announces the end of each hold ten minutes before. When several processes use one database, only one does so. */
export function createAnnouncements(database: Database, clock: Clock, onError: (error: unknown) => void) {
  return createTaskScheduler({
    ...ofHolds(database, clock, onError),
    next: () => nextAnnouncement(database.db),
    run: (hold) => database.write(author, (tx) => announceExpiry(tx, hold)),
  });
}

/** Returns the options that both schedulers share. Only events that place or update a hold change when it ends. */
function ofHolds(database: Database, clock: Clock, onError: (error: unknown) => void) {
  const setsEnd = ({ type }: { readonly type: string }) =>
    type === 'feature-lease-placed' || type === 'feature-lease-updated';
  return { database, clock, sets: setsEnd, onError };
}
