import type { Kysely } from 'kysely';
import type { Limiter } from '../../kernel/limiter.ts';
import type { CounterName } from '../tables/events.ts';
import type { Tables } from '../tables.ts';
import type { EventText } from './event-text.ts';
import type { BeginSearch } from './search.ts';
import type { Shared } from './together.ts';

/**
 * What the two databases do differently, and nothing else. Queries are written once, in terms that both
 * understand: text, integers, no arrays, no functions of one engine.
 */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  /** For reading outside a change. */
  readonly read: Kysely<Tables>;
  /** Begins reading that may take long: it waits for its like, so that `read` need not wait for it. */
  readonly beginSearch: BeginSearch;
  /**
   * Runs `work` in a transaction. On `changes` one runs at a time, on one process and across all of them, so
   * that what a change has read stays true until it commits; changes that wait together share a commit. On
   * `ingest` several may run at once. Work about one thing may run beside work about other things, as long as it writes
   * nothing else. `work` may be run a second time, when nothing of the first is stored. Rejects with what `work` threw, or
   * with a `ServiceUnavailableError` when the database cannot be written.
   */
  transact<T>(lane: Lane, work: (trx: Transaction) => Promise<Asked<T>>, about?: Thing): Promise<T>;
  /**
   * Numbers rows from a counter and inserts them, one transaction in one round trip: the quick way in for what
   * arrives by the thousand. `into`'s first two columns get the number and the time. Durable when it resolves.
   */
  append(counter: CounterName, into: BulkTable, rows: readonly BulkRow[], now: number): Promise<Appended>;
  /** Tells the other processes that events were committed. Losing a call costs them latency only. */
  announce(): void;
  /** Calls `heard` whenever another process announced, and now and then in case an announcement was lost. */
  listen(heard: () => void): Promise<void>;
  /** A limiter of `points` in `seconds` that all processes on this database share. */
  limiter(name: string, points: number, seconds: number): Limiter;
  readonly eventText: EventText;
  /** Gives up to `pages` free pages back to the disk; answers how many are left to give, 0 where the database sees to that itself. */
  reclaim(pages: number): Promise<number>;
  /** Resolves when the database answers; rejects when it does not. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export type Lane = 'changes' | 'ingest';

/** Something with rows of its own, which changes are about: a flag. */
export type Thing = `feature ${string}`;

/** Whose rows a statement writes; or that it only adds to what others add to as well, so that their order does not matter. */
export type Touches = readonly Thing[] | 'sums';

export type BulkRow = readonly (string | number | null)[];

/** Where appended rows stand: the number of the first, and the time they all got. */
export interface Appended {
  readonly first: number;
  readonly at: number;
}

/** What a piece of work comes to when it has asked for everything, the last answers of which are still to come. */
export interface Asked<T> {
  readonly answered: Promise<T>;
}

/** Where what several pieces of work ask for together is asked. */
export type Inside = Pick<Transaction, 'db' | 'append'>;

/** What a piece of work has of an open transaction. */
export interface Transaction {
  readonly db: Kysely<Tables>;
  /** Rows that its statements have inserted, updated or deleted, as far as they are answered. */
  changedRows(): number;
  /** Inserts many rows at once, by the fastest way the engine has. */
  insertMany(into: BulkTable, rows: readonly BulkRow[]): Promise<void>;
  /** {@link Engine.append} as a part of this transaction; the counter stays locked until it ends. */
  append(counter: CounterName, into: BulkTable, rows: readonly BulkRow[], now: number): Promise<Appended>;
  /** Asks for something that only adds to what others add to as well, and so may be done together with what they ask for. */
  together<Item, Result>(shared: Shared<Item, Result, Inside>, item: Item): Promise<Result>;
  /** Runs a part of this transaction that is undone alone when it throws; rejects with what it threw. Parts may stand in parts. */
  part<T>(work: () => Promise<T>): Promise<T>;
}

/** A table that takes many rows at once, with its columns and their kinds in the order the rows have them. */
export interface BulkTable {
  readonly table: keyof Tables & string;
  /** `long text` is text too; it goes the way that is best when there are kilobytes of it. */
  readonly columns: readonly (readonly [name: string, kind: 'integer' | 'text' | 'long text'])[];
}
