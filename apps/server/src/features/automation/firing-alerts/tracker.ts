import { setTimeout as pause } from 'node:timers/promises';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { trackNextSignals } from './track.ts';

const author: Author = { actor: systemActor, cause: {} };
/** The pause between two reads while signals keep coming. */
const pauseMs = 250;
/** The delay before a retry after an error. */
const retryMs = 1000;

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
  #retry: NodeJS.Timeout | undefined;

  /** `onError` is called with errors of the database. The signals are then read a second later, or with the next. */
  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** Reads the signals that came while no server was running. */
  start(): void {
    this.wake();
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
    clearTimeout(this.#retry);
  }

  async #readAll(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#isWoken && !signal.aborted) {
      this.#isWoken = false;
      let isMore = true;
      while (isMore && !signal.aborted) isMore = await this.#read();
      if (this.#isWoken) await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #read(): Promise<boolean> {
    try {
      return await this.#database.writeQuietly('firing alerts', author, trackNextSignals);
    } catch (error) {
      this.#onError(error);
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.wake(), retryMs);
      return false;
    }
  }
}
