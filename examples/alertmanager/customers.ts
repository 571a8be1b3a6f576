import { setTimeout as pause } from 'node:timers/promises';

/** The answer to a customer. */
export interface Purchase {
  readonly at: Date;
  /** Which checkout it was, or undefined when the shop did not answer. */
  readonly path: 'new' | 'old' | undefined;
  readonly ok: boolean;
}

/** Customers who buy in a shop, one after the other, until they are told to stop. */
export class Customers {
  readonly #purchases: Purchase[] = [];
  readonly #stop = new AbortController();
  readonly #shopping: Promise<void>;

  constructor(shopUrl: string) {
    this.#shopping = this.#shop(`${shopUrl}/checkout`);
  }

  /** How many purchases there have been, to look for those after it. */
  get count(): number {
    return this.#purchases.length;
  }

  /** The first purchase like this among those after the first `after`. */
  first(like: Pick<Purchase, 'path' | 'ok'>, after: number): Purchase | undefined {
    return this.#purchases.slice(after).find(({ path, ok }) => path === like.path && ok === like.ok);
  }

  /** How many of the purchases after the first `after` failed. */
  failures(after: number): number {
    return this.#purchases.slice(after).filter(({ ok }) => !ok).length;
  }

  /** Resolves when the last one has left. */
  async leave(): Promise<void> {
    this.#stop.abort();
    await this.#shopping;
  }

  async #shop(url: string): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#purchases.push(await buy(url));
      await pause(50);
    }
  }
}

async function buy(url: string): Promise<Purchase> {
  try {
    const response = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(10_000) });
    const { path } = (await response.json()) as Pick<Purchase, 'path'>;
    return { at: new Date(), path, ok: response.ok };
  } catch {
    return { at: new Date(), path: undefined, ok: false };
  }
}
