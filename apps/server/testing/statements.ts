import type { Database } from '../src/storage/database.ts';
import { withListener } from '../src/storage/kysely-connection.ts';

/** The database for reading, with a count of the statements sent to it. */
export function counted(database: Database) {
  const counter = { statements: 0 };
  const db = withListener(database.db, () => {
    counter.statements++;
  });
  return { db, counter };
}
