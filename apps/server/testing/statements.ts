import type { Database } from '../src/storage/database.ts';

/** The database for reading, with a count of the statements sent to it. */
export function counted(database: Database) {
  const counter = { statements: 0 };
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      counter.statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db, counter };
}
