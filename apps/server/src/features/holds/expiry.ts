import { startTaskScheduler, type TaskScheduler } from '../../jobs/scheduler.ts';
import { systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { expireHolds } from './commands.ts';
import { nextExpiry } from './store.ts';

/** Ends holds when they expire. Of several processes of one database, one ends each hold. */
export function startExpiries(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<TaskScheduler> {
  return startTaskScheduler({
    database,
    clock,
    next: () => nextExpiry(database.db),
    run: async (place) => {
      await database.write({ actor: systemActor, cause: {} }, (tx) => expireHolds(tx, place));
    },
    sets: ({ type }) => type === 'feature-lease-placed' || type === 'feature-lease-updated',
    onError,
  });
}
