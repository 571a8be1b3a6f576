import { firstSchema } from './0001-first-schema/index.ts';
import type { MigrationStatements } from './dialect.ts';

/**
 * Every migration by name, in order. A migration that has landed is never edited, since databases have run it: a change
 * of the schema is a new migration. `checksums.json` holds the checksum of each one.
 */
export const migrations: Readonly<Record<string, MigrationStatements>> = {
  '0001-first-schema': firstSchema,
};
