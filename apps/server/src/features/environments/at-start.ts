import { systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import { updateEnvironment } from './commands.ts';
import { findEnvironment } from './store.ts';

/**
 * Switches on the named environments and leaves the others as they are (docs/spec#environments); recorded when it
 * changes something. Answers the names of which there is no environment.
 */
export async function enableAtStart(
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
