import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export interface SearchOptions {
  /** Stops the search: queued statements do not run and reject with a `SearchStopped`. */
  readonly stop?: AbortSignal | undefined;
  /** Milliseconds after which PostgreSQL cancels a statement; see {@link Search.within}. */
  readonly statementMs?: number | undefined;
}

/** A search: reads that may take long. Its statements are scheduled among the statements of other searches. */
export interface Search {
  readonly db: Kysely<Tables>;
  /** The running time of the statements of this search in milliseconds, without queueing time. */
  readonly usedMs: number;
  /**
   * Returns a Kysely whose statements reject with a `SearchStopped` when they take longer than `ms`. SQLite runs each
   * statement to its end, so statements must read a bounded number of rows anyway.
   */
  within(ms: number): Kysely<Tables>;
}

export type BeginSearch = (options?: SearchOptions) => Search;
