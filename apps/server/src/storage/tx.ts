import type { EventType } from '@yardarm/contract';
import { type Kysely, sql as kyselySql, type RawBuilder } from 'kysely';
import type { Author } from '#kernel/actor.ts';
import type { Appended, BulkRow, BulkTable, Transaction } from './engine.ts';
import type { CounterName } from './tables/events.ts';
import type { Tables } from './tables.ts';

/** A handle for reading. Inside a change, reads see the rows that the change has written. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn'>;

/** The template tag for SQL that the query builder cannot express. Both engines must understand it. */
export const sql = kyselySql;

/** An SQL condition. */
export type Condition = RawBuilder<boolean>;

/** An event as a change records it. Author, time and cause are added before the commit. */
export interface NewEvent {
  readonly type: EventType;
  readonly project?: string | null;
  readonly featureName?: string | null;
  readonly environment?: string | null;
  /** State after the change; never a secret. */
  readonly data?: unknown;
  /** State before the change; never a secret. */
  readonly preData?: unknown;
  /** Absent for a success. `failure`: the change was tried and failed; `refused`: the change was not allowed. */
  readonly outcome?: 'failure' | 'refused';
  readonly tags?: readonly { readonly type: string; readonly value: string }[];
}

/** Background work, committed with the change that enqueues it. */
export interface NewJob {
  readonly kind: string;
  readonly payload?: unknown;
  /** The earliest time to run, milliseconds UTC; now when absent. */
  readonly runAt?: number;
  /** A job is not added while another job with the same key is queued. */
  readonly uniqueKey?: string;
}

/** The common cause of several events. */
export interface EventGroup {
  readonly type: 'change-request' | 'state';
  readonly id: string;
}

declare const insideWrite: unique symbol;

/**
 * Handle of an open change. Functions that change data take a Tx, so a change outside of `write` does not compile.
 */
export interface Tx {
  readonly [insideWrite]: true;
  readonly db: Kysely<Tables>;
  readonly by: Author;
  /** The time of the change, milliseconds UTC. */
  readonly now: number;
  /**
   * Adds an event to the event log; committed with the rows, in the order of the calls.
   *
   * @example
   * tx.record({ type: 'feature-favorited', featureName: name, data: { feature: name } });
   */
  record(event: NewEvent): void;
  /** Puts all events of the change into this group instead of a new one. */
  joinGroup(group: EventGroup): void;
  enqueue(job: NewJob): void;
  /**
   * Deletes the queued job with this key and enqueues `job`, if given, in its place. When a change calls this more than
   * once, the last call wins. Throws in a quiet write, which runs beside other changes and not after them.
   */
  replaceJob(uniqueKey: string, job: Omit<NewJob, 'uniqueKey'> | undefined): void;
  /** Calls `wake` after the commit. The call is lost when the process ends: use a job for work that must happen. */
  afterCommit(wake: () => void): void;
  /**
   * Runs a nested change behind a savepoint, checked like a change of its own and with its own event group; its events
   * name the author `by`. When it throws, only the nested change is rolled back, and its error is thrown here.
   */
  nested<T>(by: Author, change: Change<T>): Promise<T>;
  /** Returns the events recorded so far, with those of nested changes. */
  recorded(): readonly NewEvent[];
  /** Allows the change to commit rows without an event, because its rows have no events. */
  allowNoEvents(reason: QuietReason): void;
  insertMany: Transaction['insertMany'];
  goOn: Transaction['goOn'];
  /** Numbers rows from a counter and inserts them. The first two columns of `into` receive the number and the time. */
  append(counter: CounterName, into: BulkTable, rows: readonly BulkRow[]): Promise<Appended>;
}

/** The reason why a write records no event: its data comes from programs or describes their work. */
export type QuietReason =
  | 'signal ingest'
  | 'signal refusals'
  | 'firing alerts'
  | 'usage metrics'
  | 'impact metrics'
  | 'sessions'
  | 'password links'
  | 'last seen'
  | 'lifecycle'
  | 'interface state'
  | 'deliveries'
  | 'incidents'
  | 'action runs'
  | 'event consumers'
  | 'log epoch'
  | 'loop probe'
  | 'jobs'
  | 'retention'
  | 'sealing'
  | 'agreed switches'
  | 'signing keys';

export type Change<T> = (tx: Tx) => Promise<T>;

/** The members of a {@link Tx}, for the code that implements it. */
export type TxMembers = Omit<Tx, typeof insideWrite>;
