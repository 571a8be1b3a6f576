import type { Database } from '../src/storage/database.ts';
import { withListener } from '../src/storage/kysely-connection.ts';

/** Returns the reading connection of a database with a counter of the statements that are sent to it. */
export function counted(database: Database) {
  const counter = { statements: 0 };
  const db = withListener(database.db, () => {
    counter.statements++;
  });
  return { db, counter };
}
