import { setTimeout } from 'node:timers/promises';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import { trackNextSignals } from './track.ts';

const author: Author = { actor: systemActor, cause: {} };
/** The pause between two reads while signals keep coming. */
const pauseMs = 250;

/**
 * Updates the stored state of each alert when signals come. The cursor is stored in the database, so a lost wake-up
 * only causes delay.
 */
export class AlertTracker {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  #work: Promise<void> | undefined;
  #isWoken = false;

  /** `onError` is called with errors of the database. The signals are then read together with the next ones. */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Reads new signals soon. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#isWoken = true;
    this.#work ??= this.#readAll().finally(() => {
      this.#work = undefined;
    });
  }

  /** Resolves when the signals so far have been read. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Finishes the current read and starts no more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#isWoken && !signal.aborted) {
      this.#isWoken = false;
      let isMore = true;
      while (isMore && !signal.aborted) isMore = await this.#read();
      if (this.#isWoken) await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #read(): Promise<boolean> {
    try {
      return await this.#database.writeQuietly('firing alerts', author, trackNextSignals);
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }
}
