import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

export interface SearchOptions {
  /** Stops the search: statements that still wait never run, and reject with a `SearchStopped`. */
  readonly stop?: AbortSignal | undefined;
  /** Milliseconds after which PostgreSQL cancels a statement; see {@link Search.within}. */
  readonly statementMs?: number | undefined;
}

/** Reading that may take long, as one search. Its statements take turns with those of other searches. */
export interface Search {
  readonly db: Kysely<Tables>;
  /** Milliseconds that the statements of this search ran, without the time they waited. */
  readonly usedMs: number;
  /**
   * Returns a Kysely whose statements reject with a `SearchStopped` when they take longer. SQLite runs each statement to
   * its end, so a statement must look at a bounded number of rows all the same.
   */
  within(ms: number): Kysely<Tables>;
}

export type BeginSearch = (options?: SearchOptions) => Search;
