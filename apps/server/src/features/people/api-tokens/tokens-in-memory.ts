import { touches } from '#features/platform/event-effects/index.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import { listTokensAndHashes } from './store.ts';
import type { ApiToken } from './token.ts';

/** A token with the hash of its secret, which must not leave the server. */
export interface TokenWithHash {
  readonly token: ApiToken;
  readonly secretHash: string;
}

const retryMs = 5000;

/**
 * All API tokens, in memory: SDKs get flags while the database is away, also from a process that has not served their
 * token before. An event about a token drops all of them at once, and they are loaded again in the background, so that
 * a deleted token is never found.
 */
export class TokensInMemory {
  readonly #database: Pick<Database, 'db'>;
  readonly #loop: Loop;
  readonly #byHash = new Map<string, TokenWithHash>();
  readonly #byId = new Map<number, TokenWithHash>();
  #generation = 0;
  /** Resolved while the tokens are in memory. */
  #loaded = Promise.withResolvers<void>();
  #isLoaded = false;

  private constructor(database: Pick<Database, 'db'>, onError: (error: unknown) => void) {
    this.#database = database;
    this.#loop = new Loop({ round: () => this.#load(), onError, retryMs });
    this.#loop.start();
  }

  /** Resolves when all tokens are in memory. Calls `onError` when loading them later fails; it is retried. */
  static async load(
    database: Pick<Database, 'db' | 'feed'>,
    onError: (error: unknown) => void,
  ): Promise<TokensInMemory> {
    const tokens = new TokensInMemory(database, onError);
    database.feed.subscribe({
      events: (events) => {
        if (events.some((event) => touches(event, 'api-tokens'))) tokens.#loadAgain();
      },
      reset: () => tokens.#loadAgain(),
    });
    await tokens.#load();
    return tokens;
  }

  /** Returns the token when it is in memory. Undefined also while the tokens are loaded again. */
  byHash(hash: string): TokenWithHash | undefined {
    return this.#byHash.get(hash);
  }

  byId(id: number): TokenWithHash | undefined {
    return this.#byId.get(id);
  }

  /** All tokens; undefined while they are loaded again. */
  get all(): readonly TokenWithHash[] | undefined {
    return this.#isLoaded ? [...this.#byId.values()] : undefined;
  }

  /** Resolves when the tokens are in memory, after the retries of loading them. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #loadAgain(): void {
    this.#generation++;
    if (this.#isLoaded) this.#loaded = Promise.withResolvers();
    this.#isLoaded = false;
    this.#byHash.clear();
    this.#byId.clear();
    this.#loop.wake();
  }

  async #load(): Promise<void> {
    const generation = this.#generation;
    const all = await listTokensAndHashes(this.#database.db);
    // Tokens that were read before an event must not be found after it.
    if (generation !== this.#generation) return;
    for (const known of all) {
      this.#byHash.set(known.secretHash, known);
      this.#byId.set(known.token.id, known);
    }
    this.#isLoaded = true;
    this.#loaded.resolve();
  }
}
