import type { MigrationStatements } from './dialect.ts';

/** A search checks the project of each event it looks at, so nothing reads this index any more and no change pays for it. */
export const eventSearch: MigrationStatements = () => ['drop index events_of_projects'];
