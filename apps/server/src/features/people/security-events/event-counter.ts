import { WriteBehind } from '#jobs/write-behind.ts';
import { type RequestOrigin, systemActor } from '#kernel/actor.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';

/** The time over which occurrences are counted before they are recorded, in milliseconds. */
const windowMs = 60_000;
/**
 * The shorter window after a quiet minute, in milliseconds: a process that is killed soon after must not hide an attack
 * that begins.
 */
export const quietWindowMs = 5_000;
/**
 * The maximum number of distinct keys per window, so that an attacker cannot fill the event log. Occurrences of further
 * keys share one event.
 */
const maxKeys = 50;
/** The maximum number of distinct addresses, and of distinct values of `counted`, that are counted per key. */
const maxCounted = 1000;
/** The maximum number of values in each list of an event. */
const maxListed = 20;
const longestListed = 255;

/** One occurrence, such as one failed login. */
export interface Occurrence<Subject> {
  /** Occurrences with the same key share an event. */
  readonly key: string;
  readonly subject: Subject;
  readonly address: string;
  /**
   * A value that the event must not contain, such as an entered user name. The event has the number of distinct values.
   */
  readonly counted?: string;
  /** Values that the event lists by name, such as routes. */
  readonly listed?: Readonly<Record<string, readonly string[]>>;
}

/** Occurrences of one key in a window. */
export interface Count<Subject> {
  /** Null for the occurrences beyond {@link maxKeys}. */
  readonly subject: Subject | null;
  readonly attempts: number;
  /**
   * The number of distinct client addresses (`addresses`) and of distinct values of `counted` (`distinct`), each at
   * most 1000.
   */
  readonly addresses: number;
  readonly distinct: number;
  readonly listed: Readonly<Record<string, readonly string[]>>;
  /** The origin with the client address, when all occurrences came from one address. */
  readonly origin: RequestOrigin | undefined;
  readonly from: string;
  readonly to: string;
}

interface Pending<Subject> {
  readonly subject: Subject | null;
  attempts: number;
  readonly addresses: Set<string>;
  readonly distinct: Set<string>;
  readonly listed: Map<string, Set<string>>;
  from: number;
  to: number;
}

export interface EventCounterOptions<Subject> {
  readonly clock: Clock;
  /** The window after a minute without occurrences, in milliseconds. */
  readonly firstWindowMs: number;
  /** Records an event for each count, all in one transaction. */
  record(counts: readonly Count<Subject>[]): Promise<void>;
  onError(error: unknown): void;
}

/** Returns a function that records each count with the origin of its occurrences, all in one transaction. */
export function recordEach<Subject>(
  { write }: Pick<Database, 'write'>,
  record: (tx: Tx, count: Omit<Count<Subject>, 'origin'>) => Promise<void>,
): EventCounterOptions<Subject>['record'] {
  return (counts) =>
    write({ actor: systemActor, cause: {} }, async (tx) => {
      for (const { origin, ...count } of counts) {
        const author = { actor: systemActor, cause: {}, ...(origin === undefined ? {} : { origin }) };
        await tx.nested(author, (nested) => record(nested, count));
      }
    });
}

/**
 * Counts occurrences that are too many for an event each, and records one event per key: `firstWindowMs` after the
 * first occurrence, and then once a minute while occurrences follow. A process that is killed loses the counts that
 * are not recorded yet; a graceful stop records them.
 */
export class EventCounter<Subject> {
  readonly #clock: Clock;
  readonly #writes: WriteBehind<Map<string, Pending<Subject>>>;
  #pending = new Map<string, Pending<Subject>>();
  #recordedAt = Number.NEGATIVE_INFINITY;

  constructor({ clock, firstWindowMs, record, onError }: EventCounterOptions<Subject>) {
    this.#clock = clock;
    this.#writes = new WriteBehind({
      delayMs: () => (clock.now() - this.#recordedAt < windowMs ? windowMs : firstWindowMs),
      take: () => {
        if (this.#pending.size === 0) return undefined;
        const batch = this.#pending;
        this.#pending = new Map();
        this.#recordedAt = clock.now();
        return batch;
      },
      write: (batch) => record([...batch.values()].map(countOf)),
      giveBack: (batch) => {
        const newer = this.#pending;
        this.#pending = batch;
        for (const [key, count] of newer) merge(this.#entry(key, count.subject, count.from), count);
      },
      onError,
    });
  }

  add({ key, subject, address, counted, listed = {} }: Occurrence<Subject>): void {
    const now = this.#clock.now();
    merge(this.#entry(key, subject, now), {
      attempts: 1,
      addresses: new Set(address === '' ? [] : [address]),
      distinct: new Set(counted === undefined ? [] : [counted.slice(0, longestListed)]),
      listed: new Map(Object.entries(listed).map(([name, values]) => [name, new Set(values)])),
      from: now,
      to: now,
    });
    this.#writes.wake();
  }

  /** Records the pending counts as events now, before their window is over. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  /** Records the pending counts and stops. */
  stop(): Promise<void> {
    return this.#writes.stop();
  }

  #entry(key: string, subject: Subject | null, now: number): Pending<Subject> {
    const isOther = !this.#pending.has(key) && this.#pending.size >= maxKeys;
    const name = isOther ? otherKey : key;
    const found = this.#pending.get(name);
    if (found !== undefined) return found;
    const entry: Pending<Subject> = {
      subject: isOther ? null : subject,
      attempts: 0,
      addresses: new Set(),
      distinct: new Set(),
      listed: new Map(),
      from: now,
      to: now,
    };
    this.#pending.set(name, entry);
    return entry;
  }
}

/** The key of the occurrences beyond {@link maxKeys}. */
const otherKey = '';

function merge<Subject>(into: Pending<Subject>, more: Omit<Pending<Subject>, 'subject'>): void {
  into.attempts += more.attempts;
  into.from = Math.min(into.from, more.from);
  into.to = Math.max(into.to, more.to);
  addUpTo(maxCounted, into.addresses, more.addresses);
  addUpTo(maxCounted, into.distinct, more.distinct);
  for (const [name, values] of more.listed) {
    const known = into.listed.get(name) ?? new Set();
    addUpTo(maxListed, known, values);
    into.listed.set(name, known);
  }
}

function addUpTo(most: number, into: Set<string>, values: ReadonlySet<string>): void {
  for (const value of values) if (into.size < most) into.add(value);
}

function countOf<Subject>({ listed, from, to, addresses, distinct, ...rest }: Pending<Subject>): Count<Subject> {
  return {
    ...rest,
    addresses: addresses.size,
    distinct: distinct.size,
    origin: addresses.size === 1 ? originAt([...addresses][0] ?? null) : undefined,
    listed: Object.fromEntries([...listed].map(([name, values]) => [name, [...values].sort()])),
    from: isoTime(from),
    to: isoTime(to),
  };
}

function originAt(address: string | null): RequestOrigin {
  return { address, userAgent: null, method: 'none', sessionId: null, tokenId: null };
}
