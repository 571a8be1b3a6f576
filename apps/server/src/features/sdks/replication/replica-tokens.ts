import type { ReplicaState } from '@yardarm/contract';
import type { ApiToken, TokenLookup, TokenWithHash } from '#features/people/api-tokens/index.ts';
import { BoundedMap } from '#kernel/bounded-map.ts';
import type { Clock } from '#kernel/clock.ts';
import { secretHash } from '#kernel/ids.ts';

/** The highest number of secrets whose token is remembered, so that their digest is not computed for each request. */
const maxSecrets = 10_000;

/** The tokens that a replica serves, as its upstream sent them. An unknown token is answered without asking. */
export class ReplicaTokens implements TokenLookup {
  readonly #clock: Clock;
  readonly #seen: (token: ApiToken) => void;
  #byHash: ReadonlyMap<string, TokenWithHash> = new Map();
  #byId: ReadonlyMap<number, TokenWithHash> = new Map();
  #bySecret = new BoundedMap<string, TokenWithHash>(maxSecrets);

  /** Calls `seen` for each token that is found. */
  constructor(clock: Clock, seen: (token: ApiToken) => void) {
    this.#clock = clock;
    this.#seen = seen;
  }

  /** Replaces all tokens. */
  replace(tokens: ReplicaState['tokens']): void {
    const all = tokens.map(({ secretHash: hash, ...token }) => ({
      token: { ...token, seenAt: null },
      secretHash: hash,
    }));
    this.#byHash = new Map(all.map((known) => [known.secretHash, known]));
    this.#byId = new Map(all.map((known) => [known.token.id, known]));
    this.#bySecret = new BoundedMap(maxSecrets);
  }

  /** All tokens, with the digests of their secrets. */
  get all(): readonly TokenWithHash[] {
    return [...this.#byId.values()];
  }

  peek(secret: string): ApiToken | undefined {
    return this.#current(this.#bySecret.get(secret))?.token;
  }

  async find(secret: string): Promise<ApiToken | undefined> {
    const known = this.#byHash.get(secretHash(secret));
    if (known !== undefined) this.#bySecret.set(secret, known);
    return this.#current(known)?.token;
  }

  async findById(id: number): Promise<TokenWithHash | undefined> {
    return this.#current(this.#byId.get(id));
  }

  #current(known: TokenWithHash | undefined): TokenWithHash | undefined {
    if (known === undefined) return undefined;
    const { expiresAt } = known.token;
    if (expiresAt !== null && expiresAt <= this.#clock.now()) return undefined;
    this.#seen(known.token);
    return known;
  }
}
