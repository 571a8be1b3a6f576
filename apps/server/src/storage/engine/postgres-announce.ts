import type { QueryConfig } from 'pg';

/** Where processes tell each other that events were committed, and what this one calls itself there. */
export interface Channel {
  readonly name: string;
  readonly self: string;
}

/** Named, so that each connection plans it once. */
const statement = { name: 'announce', text: 'select pg_notify($1, $2)' };

/**
 * Tells the other processes on a channel that events were committed. While it does, however many ask for it again
 * are one. Losing an announcement costs the others a second; a failing database shows in the requests themselves.
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

  /** Resolves when everything has been announced. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again) {
      // Changes that share a commit announce it one after the other, before the next tick.
      await new Promise<void>((resolve) => process.nextTick(resolve));
      this.#again = false;
      const { name, self } = this.#channel;
      await this.#query({ ...statement, values: [name, self] }).catch(this.#onError);
    }
    this.#running = null;
  }
}
