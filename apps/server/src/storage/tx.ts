import type { EventType } from '@yardarm/contract';
import { type Kysely, sql as kyselySql, type RawBuilder } from 'kysely';
import type { Author } from '../kernel/actor.ts';
import type { Appended, BulkRow, BulkTable, Transaction } from './engine/engine.ts';
import type { CounterName } from './tables/events.ts';
import type { Tables } from './tables.ts';

/** For reading: inside a change it sees what the change did so far. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn'>;

/** The tag for a piece of SQL that the query builder has no word for; both engines must understand it. */
export const sql = kyselySql;

/** A piece of SQL that is true or false. */
export type Condition = RawBuilder<boolean>;

/** What happened, as a change tells it. Who, when and why are added when it commits. */
export interface NewEvent {
  readonly type: EventType;
  readonly project?: string | null;
  readonly featureName?: string | null;
  readonly environment?: string | null;
  /** State after the change; never a secret. */
  readonly data?: unknown;
  /** State before the change; never a secret. */
  readonly preData?: unknown;
  readonly tags?: readonly { readonly type: string; readonly value: string }[];
}

/** Background work, committed with the change that asks for it. */
export interface NewJob {
  readonly kind: string;
  readonly payload?: unknown;
  /** Milliseconds UTC before which it does not run; now when absent. */
  readonly runAt?: number;
  /** While a job with this key waits, another one with it is not added. */
  readonly uniqueKey?: string;
}

/** What several events belong to. */
export interface EventGroup {
  readonly type: 'change-request';
  readonly id: string;
}

declare const insideWrite: unique symbol;

/**
 * The hand-hold of an open change. Functions that change data take it and nothing else, so a change outside
 * `write` does not compile.
 */
export interface Tx {
  readonly [insideWrite]: true;
  readonly db: Kysely<Tables>;
  readonly by: Author;
  /** When the change happens, milliseconds UTC. */
  readonly now: number;
  /** Adds to the event log; committed with the rows, in the order of the calls. */
  record(event: NewEvent): void;
  /** Puts all events of the change into this group, instead of one made up for them. */
  joinGroup(group: EventGroup): void;
  /**
   * Has the change go on without waiting for `work`, whose answer it does not need: each wait holds up every other change.
   * What is asked afterwards runs after it, and the change fails when it does. It must be a single statement that is made
   * beforehand (`compiled`, `insertMany`): by the time the change ends all of it must have been asked for.
   */
  unawaited(work: Promise<unknown>): void;
  enqueue(job: NewJob): void;
  /** For wake-ups only: losing one may cost latency, never correctness. */
  afterCommit(wake: () => void): void;
  /**
   * Makes a change within this one by another author, checked and grouped as one of its own: its events name that author.
   * It is undone alone when it throws, and what it threw is thrown here.
   */
  within<T>(by: Author, change: (tx: Tx) => Promise<T>): Promise<T>;
  /** What this change has recorded so far, with the changes within it. */
  recorded(): readonly NewEvent[];
  /** Lets the change commit although it records no event: the rows it touches have none by their nature. */
  quietly(reason: QuietReason): void;
  insertMany: Transaction['insertMany'];
  /** Numbers rows from a counter and inserts them; `into`'s first two columns get the number and the time. */
  append(counter: CounterName, into: BulkTable, rows: readonly BulkRow[]): Promise<Appended>;
}

/** Why a write records no event. Each is data that comes in by itself, not something somebody changed. */
export type QuietReason =
  | 'signal ingest'
  | 'usage metrics'
  | 'sessions'
  | 'password links'
  | 'last seen'
  | 'lifecycle'
  | 'interface state'
  | 'deliveries'
  | 'action runs'
  | 'jobs'
  | 'retention'
  | 'sealing';

/** An event with the change that recorded it, which may be one within another. */
export interface Recorded {
  readonly event: NewEvent;
  readonly of: Requested;
}

/** What a change asked for while it ran. */
export interface Requested {
  readonly by: Author;
  readonly recorded: Recorded[];
  group: EventGroup | null;
  quiet: boolean;
  readonly jobs: NewJob[];
  readonly wakes: (() => void)[];
  readonly unawaited: Promise<unknown>[];
}

/** Runs a change within another; what it asked for, when it did not throw, is part of what the other asks for. */
export type RunWithin = <T>(by: Author, change: (tx: Tx) => Promise<T>) => Promise<{ value: T; requested: Requested }>;

export function openTx(
  transaction: Transaction,
  by: Author,
  now: number,
  runWithin: RunWithin,
): { tx: Tx; requested: Requested } {
  const requested: Requested = { by, recorded: [], group: null, quiet: false, jobs: [], wakes: [], unawaited: [] };
  const tx: Omit<Tx, typeof insideWrite> = {
    db: transaction.db,
    by,
    now,
    record: (event) => void requested.recorded.push({ event, of: requested }),
    joinGroup: (group) => {
      requested.group = group;
    },
    unawaited: (work) => {
      requested.unawaited.push(work);
      // Heard of when the change ends; until then nobody waits for it.
      work.catch(() => undefined);
    },
    enqueue: (job) => void requested.jobs.push(job),
    afterCommit: (wake) => void requested.wakes.push(wake),
    within: async (author, change) => {
      const { value, requested: inner } = await runWithin(author, change);
      requested.recorded.push(...inner.recorded);
      requested.jobs.push(...inner.jobs);
      requested.wakes.push(...inner.wakes);
      return value;
    },
    recorded: () => requested.recorded.map(({ event }) => event),
    quietly: () => {
      requested.quiet = true;
    },
    insertMany: transaction.insertMany,
    append: (counter, into, rows) => transaction.append(counter, into, rows, now),
  };
  return { tx: tx as Tx, requested };
}
