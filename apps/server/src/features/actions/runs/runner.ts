import { type Author, systemActor } from '../../../kernel/actor.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../storage/database.ts';
import { ReadThroughCache } from '../../../storage/read-through-cache.ts';
import { handlePending } from './handle.ts';
import { endpointsWithPending, watchedEndpoints } from './pending.ts';
import type { RunContext } from './run.ts';

const author: Author = { actor: systemActor, cause: {} };
/** How long after a failure it is tried again, when nothing happens before. */
const retryMs = 1000;
/** Signals that a process stored and did not live to handle are found by the others after so long. */
const lookMs = 2000;

export interface RunnerOptions extends RunContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Told how long after its signal a change was committed, in seconds. */
  readonly changedAfter: (seconds: number) => void;
}

/**
 * Has signals set off what they are to. Whoever stores a signal wakes it; what is done, and that it is done, is in the database, so
 * losing a wake-up costs time and nothing else.
 */
export class Runner {
  readonly #options: RunnerOptions;
  /** Endpoints whose signals may set something off; of the others nobody looks at any. */
  readonly #watched: ReadThroughCache<ReadonlySet<number>>;
  /** Endpoints in hand, and those of them that have had more signals since it was last looked. */
  readonly #working = new Map<number, Promise<void>>();
  readonly #again = new Set<number>();
  #looking: Promise<void> = Promise.resolve();
  #poll: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { db, feed } = options.database;
    this.#watched = new ReadThroughCache(
      feed,
      ({ type }) => concerns.test(type),
      async () => new Set(await watchedEndpoints(db)),
      1,
    );
  }

  /** Begins with what was left by whoever handled signals before. */
  start(): void {
    const { feed, engine } = this.#options.database;
    feed.subscribe((events) => {
      // A signal may have come here before this process heard of the set that it sets off.
      if (events.some(({ type }) => concerns.test(type))) this.#look();
    });
    // Nobody else is there to leave anything behind on an embedded database.
    if (engine === 'postgres') this.#poll = setInterval(() => this.#look(), lookMs);
    this.#look();
  }

  /** Says that signals of these endpoints were stored. Costs next to nothing for those that set nothing off. */
  wake(endpointIds: readonly number[]): void {
    const watched = this.#watched.peek('');
    if (watched === undefined) this.#look();
    else for (const id of endpointIds) if (watched.has(id)) this.#work(id);
  }

  /** Looks for signals that wait, and resolves when none does any more. */
  idle(): Promise<void> {
    this.#look();
    return this.settled();
  }

  /** Resolves when nothing is in hand. Looks for nothing: what no wake-up announced is not waited for. */
  async settled(): Promise<void> {
    do {
      await this.#looking;
      await Promise.all(this.#working.values());
    } while (this.#working.size > 0);
  }

  /** Finishes what is in hand and begins nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#retry);
    await this.#looking;
    await Promise.all(this.#working.values());
    clearTimeout(this.#retry);
  }

  #look(): void {
    if (this.#stopped) return;
    this.#looking = this.#looking
      .then(async () => {
        await this.#watched.get('');
        for (const id of await endpointsWithPending(this.#options.database.db)) this.#work(id);
      })
      .catch((error: unknown) => this.#failed(error));
  }

  #work(endpointId: number): void {
    if (this.#stopped) return;
    if (this.#working.has(endpointId)) {
      this.#again.add(endpointId);
      return;
    }
    const work = this.#handleAll(endpointId)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#working.delete(endpointId);
        if (this.#again.delete(endpointId)) this.#work(endpointId);
      });
    this.#working.set(endpointId, work);
  }

  async #handleAll(endpointId: number): Promise<void> {
    const { database, clock, changedAfter } = this.#options;
    let more = true;
    while (more && !this.#stopped) {
      this.#again.delete(endpointId);
      const handled = await database.write(author, (tx) => handlePending(tx, this.#options, endpointId));
      for (const at of handled.changedBySignalsOf) changedAfter(Math.max(0, clock.now() - at) / 1000);
      more = handled.more;
    }
  }

  /** The signals are still there. */
  #failed(error: unknown): void {
    this.#options.onError(error);
    if (this.#stopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#look(), retryMs);
  }
}

/** Events after which signals of other endpoints may set something off. */
const concerns = /^(actions-|project-deleted)/;
