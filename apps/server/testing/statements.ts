import type { Database } from '#storage/database.ts';
import { withListener } from '#storage/kysely-connection.ts';

/** Returns the reading connection of a database with a counter of the statements that are sent to it. */
export function counted(database: Database) {
  const counter = { statements: 0 };
  const db = withListener(database.db, () => {
    counter.statements++;
  });
  return { db, counter };
}

/** Returns a function that returns the same database, calling `listener` with each statement outside a change. */
export function onReads(listener: (sql: string) => void): (database: Database) => Database {
  return (database) => ({
    ...database,
    db: withListener(database.db, listener),
    beginSearch: (options) => {
      const search = database.beginSearch(options);
      return {
        db: withListener(search.db, listener),
        get usedMs() {
          return search.usedMs;
        },
        within: (ms) => withListener(search.within(ms), listener),
      };
    },
  });
}
