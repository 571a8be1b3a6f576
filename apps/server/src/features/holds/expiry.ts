import { startTaskScheduler } from '../../jobs/scheduler.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { announceExpiry, expireHolds } from './commands.ts';
import { nextAnnouncement, nextExpiry } from './store.ts';

const author: Author = { actor: systemActor, cause: {} };

/** Ends holds when they expire. When several processes use one database, only one of them ends each hold. */
export function startExpiries(database: Database, clock: Clock, onError: (error: unknown) => void) {
  return startTaskScheduler({
    ...ofHolds(database, clock, onError),
    next: () => nextExpiry(database.db),
    run: (place) => database.write(author, (tx) => expireHolds(tx, place)),
  });
}

/** Announces the end of each hold ten minutes before. When several processes use one database, only one does so. */
export function startAnnouncements(database: Database, clock: Clock, onError: (error: unknown) => void) {
  return startTaskScheduler({
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
