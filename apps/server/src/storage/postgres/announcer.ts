import type { QueryConfig } from 'pg';

/** The notification channel of a database, and the name of this process on it. */
export interface Channel {
  readonly name: string;
  readonly self: string;
}

/** A named statement: each connection plans it once. */
const statement = { name: 'announce', text: 'select pg_notify($1, $2)' };

/**
 * Notifies the other processes on a channel that events were committed. Calls that arrive while a notification is being
 * sent are coalesced into one. A lost notification delays the other processes by at most a second.
 */
export class Announcer {
  readonly #query: (query: QueryConfig) => Promise<unknown>;
  readonly #channel: Channel;
  readonly #onError: (error: Error) => void;
  #running: Promise<void> | null = null;
  #again = false;

  constructor(query: (query: QueryConfig) => Promise<unknown>, channel: Channel, onError: (error: Error) => void) {
    this.#query = query;
    this.#channel = channel;
    this.#onError = onError;
  }

  announce(): void {
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Resolves when no notification is pending. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again) {
      // Coalesce the calls of all changes that shared a commit.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      this.#again = false;
      const { name, self } = this.#channel;
      await this.#query({ ...statement, values: [name, self] }).catch(this.#onError);
    }
    this.#running = null;
  }
}
