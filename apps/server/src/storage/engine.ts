import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Limiter } from '#kernel/limiter.ts';
import type { EventText } from './event-text-search.ts';
import type { DatabaseObserver } from './observer.ts';
import type { Seal } from './seal.ts';
import type { BeginSearch } from './search.ts';
import type { CounterName } from './tables/events.ts';
import type { Tables } from './tables.ts';

/**
 * The differences between SQLite and PostgreSQL. Queries are written once, in SQL that both understand: text and
 * integers, no arrays, no functions of one engine.
 */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** Reads outside a transaction. */
  readonly read: Kysely<Tables>;
  /** Begins a search: reads that may take long and are scheduled among other searches, so that `read` stays fast. */
  readonly beginSearch: BeginSearch;
  /**
   * Runs `work` in a transaction. In the lane `changes` transactions run one at a time across all processes, so what a
   * change reads stays true until it commits; changes that wait at the same time share a commit. In the lane `ingest`
   * transactions run concurrently on PostgreSQL. Rejects with the error that `work` threw, or with a
   * `ServiceUnavailableError` when the database cannot be written.
   */
  transact<T>(lane: Lane, work: TransactionWork<T>): Promise<T>;
  /**
   * Numbers rows from a counter and inserts them in one transaction and one round trip. The first two columns of
   * `into` receive the number and the time. The rows are durable when the promise resolves.
   */
  append(counter: CounterName, into: BulkTable, rows: readonly BulkRow[], now: number): Promise<Appended>;
  /** Notifies the other processes. They also poll for events, so a lost notification of `events` only delays them. */
  announce(topic: Topic): void;
  /**
   * Calls `onAnnounced` on each notification of another process; with all topics after a reconnect, when notifications
   * may have been lost; and with `events` periodically.
   */
  listen(onAnnounced: (topics: readonly Topic[]) => void): Promise<void>;
  /** Creates a rate limiter of `points` per `seconds` that all processes on this database share. */
  limiter(name: string, points: number, seconds: number): Limiter;
  readonly eventText: EventText;
  /**
   * Returns up to `pages` free pages of the database file to the disk. Resolves with the number of free pages left to
   * return; 0 on PostgreSQL, where autovacuum does it.
   */
  reclaim(pages: number): Promise<number>;
  /**
   * Returns the timeline of the database server, which a promotion or a recovery changes. Undefined on SQLite, and on a
   * server that does not show it.
   */
  timeline(): Promise<string | undefined>;
  /** Resolves when the database answers; rejects when it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The topics of notifications. A notification says that there are new events, signals, runs or deliveries. */
export const topics = ['events', 'signals', 'runs', 'deliveries'] as const;
export type Topic = (typeof topics)[number];

export type Lane = 'changes' | 'ingest';

export type TransactionWork<T> = (transaction: Transaction) => Promise<T>;

export type BulkRow = readonly (string | number | null)[];

/** The position of appended rows: the number of the first row, and the time stamped on all of them. */
export interface Appended {
  readonly first: number;
  readonly at: number;
}

/** Handle of an open transaction, or of a part of one that is rolled back alone. */
export interface Transaction {
  readonly db: Kysely<Tables>;
  /** The number of rows that its statements have inserted, updated or deleted so far, without nested work. */
  changedRows(): Promise<number>;
  /** Inserts many rows by the fastest way of the engine. */
  insertMany(into: BulkTable, rows: readonly BulkRow[]): Promise<void>;
  /** Runs {@link Engine.append} inside this transaction; the counter stays locked until the transaction ends. */
  append(counter: CounterName, into: BulkTable, rows: readonly BulkRow[], now: number): Promise<Appended>;
  /**
   * Sends a prepared statement and goes on without waiting for it, because its result is not needed. The work waits for
   * it when it ends, and fails when it failed.
   */
  goOn(send: () => Promise<unknown>): void;
  /** Runs `work` behind a savepoint. When `work` throws, rolls back to the savepoint and rejects with its error. */
  nested<T>(work: TransactionWork<T>): Promise<T>;
}

/** Seal, clock and observer of an engine. */
export interface Surroundings {
  readonly seal: Seal;
  readonly clock: Clock;
  readonly observer: DatabaseObserver;
}

/** A table for bulk inserts, with its columns in the order of the row values. */
export interface BulkTable {
  readonly table: keyof Tables & string;
  /** The kind `long text` is for texts of kilobytes, which PostgreSQL receives in a cheaper encoding. */
  readonly columns: readonly (readonly [name: string, kind: 'integer' | 'text' | 'long text'])[];
}
