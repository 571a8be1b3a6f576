import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import type { Topic } from '#storage/engine.ts';
import type { EventRow } from '#storage/tables/events.ts';

/** Changes within this time are published together, in milliseconds. */
const togetherMs = 250;

/** The topics without events: the process that stores a signal, run or delivery has to count it. */
type Stored = Exclude<Topic, 'events'>;

type Kind = Stored | 'changeRequests' | 'settings';

/** Numbers that change when there is something new; `events` is the id of the newest event in the epoch `epoch`. */
export type ActivityNumbers = Readonly<Record<Kind | 'events', number>> & { readonly epoch: string };

/**
 * Counts what happens in all processes, so that live pages need not poll. Events come from the change feed. Signals,
 * runs and deliveries are no events: the process that stores them calls {@link note}, which notifies the others. They
 * must not become events, because they are many and would feed the feed. An idle page that polled sent 5 to 90 requests
 * a minute. The numbers begin with the time of the start, so that a reader that reconnects to another process finds
 * other numbers and loads everything once; they tell no more than that something happened.
 */
export class Activity {
  readonly #database: Database;
  readonly #listeners: (() => void)[] = [];
  readonly #toAnnounce = new Set<Stored>();
  #numbers: ActivityNumbers;
  #revision = 1;
  readonly #publishes: Loop;

  constructor(database: Database, clock: Clock, onError: (error: unknown) => void) {
    this.#database = database;
    this.#publishes = new Loop({ round: async () => this.#publish(), onError });
    this.#publishes.start();
    // The numbers begin with the time, so that they differ for a reader who reconnects after a restart or to another
    // process.
    const start = clock.now();
    this.#numbers = {
      epoch: database.feed.epoch,
      events: database.feed.seen,
      changeRequests: start,
      settings: start,
      signals: start,
      runs: start,
      deliveries: start,
    };
    database.feed.subscribe({
      events: (rows) => this.#addEvents(rows),
      reset: ({ epoch, id }) => {
        this.#numbers = { ...this.#numbers, epoch, events: id };
        this.#count(['changeRequests', 'settings', 'signals', 'runs', 'deliveries']);
      },
    });
    database.onAnnounced((topics) => {
      const stored = topics.filter((topic) => topic !== 'events');
      if (stored.length > 0) this.#count(stored);
    });
  }

  get numbers(): ActivityNumbers {
    return this.#numbers;
  }

  /** Grows each time the numbers have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Calls `listener` after the numbers have changed. */
  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Counts a signal, run or delivery that this process has stored, and notifies the other processes a moment later. */
  note(topic: Stored): void {
    this.#toAnnounce.add(topic);
    this.#count([topic]);
  }

  stop(): Promise<void> {
    return this.#publishes.stop();
  }

  #addEvents(rows: readonly EventRow[]): void {
    const newest = rows.at(-1)?.id ?? this.#numbers.events;
    this.#numbers = { ...this.#numbers, events: newest };
    this.#count(
      kindsOfEvents.flatMap(([kind, pattern]) => (rows.some(({ type }) => pattern.test(type)) ? [kind] : [])),
    );
  }

  #count(kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#numbers = { ...this.#numbers, [kind]: this.#numbers[kind] + 1 };
    this.#publishes.wake(togetherMs);
  }

  #publish(): void {
    for (const topic of this.#toAnnounce) this.#database.announce(topic);
    this.#toAnnounce.clear();
    this.#revision++;
    for (const listener of this.#listeners) listener();
  }
}

/** The kinds that are counted by the types of events. */
const kindsOfEvents: readonly (readonly [Kind, RegExp])[] = [
  ['changeRequests', /^change-(?!refused)/],
  ['settings', /^setting-/],
];
