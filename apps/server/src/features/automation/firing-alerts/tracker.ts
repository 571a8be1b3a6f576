import { type Author, systemActor } from '#kernel/actor.ts';
import { Loop, pause } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import { trackNextSignals } from './track.ts';

const author: Author = { actor: systemActor, cause: {} };
/** The pause between two reads while signals keep coming. */
const pauseMs = 250;
/** The delay before a retry after an error. */
const retryMs = 1000;

/**
 * Updates the stored state of each alert when signals come. The cursor is stored in the database, so a lost wake-up
 * only causes delay. A list of firing alerts would otherwise read all signals of a day, because an alert fires until a
 * later signal resolves it; runs do not have the answer, because an endpoint without action sets makes none. It takes
 * no part in the answer to a sender, and costs one small transaction for all signals of a quarter of a second.
 */
export class AlertTracker {
  readonly #database: Database;
  readonly #loop: Loop;
  #isWoken = false;

  /** `onError` is called with errors of the database. The signals are then read a second later, or with the next. */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#loop = new Loop({ round: () => this.#readAll(), onError, firstMs: 0, retryMs });
  }

  /** Reads the signals that came while no server was running, and new ones from now on. */
  start(): void {
    this.#loop.start();
  }

  /** Reads new signals soon. */
  wake(): void {
    this.#isWoken = true;
    this.#loop.wake();
  }

  /** Resolves when the signals so far have been read. */
  settled(): Promise<void> {
    return this.#loop.settle();
  }

  /** Finishes the current read and starts no more. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #readAll(): Promise<void> {
    const { stopping } = this.#loop;
    this.#isWoken = false;
    let isMore = true;
    while (isMore && !stopping.aborted)
      isMore = await this.#database.writeQuietly('firing alerts', author, trackNextSignals);
    if (this.#isWoken) await pause(pauseMs, stopping);
  }
}
