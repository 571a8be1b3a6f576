import { startTaskScheduler } from '../../jobs/scheduler.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { announceExpiry, expireHolds } from './commands.ts';
import { nextAnnouncement, nextExpiry } from './store.ts';

const author: Author = { actor: systemActor, cause: {} };

/** Ends holds when they expire. Of several processes of one database, one ends each hold. */
export function startExpiries(database: Database, clock: Clock, onError: (error: unknown) => void) {
  return startTaskScheduler({
    ...ofHolds(database, clock, onError),
    next: () => nextExpiry(database.db),
    run: (place) => database.write(author, (tx) => expireHolds(tx, place)),
  });
}

/** Announces the ends of holds ten minutes before. Of several processes of one database, one announces each. */
export function startAnnouncements(database: Database, clock: Clock, onError: (error: unknown) => void) {
  return startTaskScheduler({
    ...ofHolds(database, clock, onError),
    next: () => nextAnnouncement(database.db),
    run: (hold) => database.write(author, (tx) => announceExpiry(tx, hold)),
  });
}

/** Returns what both schedulers share: the end of a hold changes only when it is placed or updated. */
function ofHolds(database: Database, clock: Clock, onError: (error: unknown) => void) {
  const setsEnd = ({ type }: { readonly type: string }) =>
    type === 'feature-lease-placed' || type === 'feature-lease-updated';
  return { database, clock, sets: setsEnd, onError };
}
