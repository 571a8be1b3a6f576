import { systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { updateEnvironment } from './commands.ts';
import { findEnvironment } from './store.ts';

/**
 * Enables the named environments and leaves the others unchanged (docs/spec#environments). Records an event for each
 * environment that was disabled. Returns the names that do not exist.
 */
export async function enableEnvironments(
  database: Pick<Database, 'write'>,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  return database.write({ actor: systemActor, cause: {} }, async (tx) => {
    const unknown: string[] = [];
    for (const name of new Set(names)) {
      if ((await findEnvironment(tx.db, name)) === undefined) unknown.push(name);
      else await updateEnvironment(tx, name, { enabled: true });
    }
    return unknown;
  });
}
