import { setTimeout as pause } from 'node:timers/promises';

/** The number of customers. Each has the id of a user; 10 % of all users include 11 of these. */
export const customerCount = 100;

/** The answer to a customer. */
export interface Purchase {
  readonly user: string;
  readonly at: Date;
  /** Which checkout it was, or undefined when the shop did not answer. */
  readonly path: 'new' | 'old' | undefined;
  readonly ok: boolean;
}

/** Customers who buy in a shop, one after the other, again and again until they are stopped. */
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

  /** The first purchase by the old checkout of a customer whose earlier purchase, after the first `after`, failed. */
  recovery(after: number): Purchase | undefined {
    const later = this.#purchases.slice(after);
    const failed = new Set<string>();
    for (const purchase of later) {
      if (!purchase.ok) failed.add(purchase.user);
      else if (purchase.path === 'old' && failed.has(purchase.user)) return purchase;
    }
    return undefined;
  }

  /** The share of the new checkout in the purchases within a time, in percent. */
  newPercent(from: Date, to: Date): number {
    const within = this.#purchases.filter(({ at }) => at >= from && at < to);
    return (100 * within.filter(({ path }) => path === 'new').length) / within.length;
  }

  /** The latest purchase when the latest one of every customer was by the new checkout and succeeded. */
  everyoneHasNew(): Purchase | undefined {
    const latest = this.#purchases.slice(-customerCount);
    if (latest.length < customerCount) return undefined;
    return latest.every(({ path, ok }) => path === 'new' && ok) ? latest.at(-1) : undefined;
  }

  /** Resolves when the last one has left. */
  async leave(): Promise<void> {
    this.#stop.abort();
    await this.#shopping;
  }

  async #shop(url: string): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const user = `visitor-${this.#purchases.length % customerCount}`;
      this.#purchases.push(await buy(url, user));
      await pause(25);
    }
  }
}

async function buy(url: string, user: string): Promise<Purchase> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'X-User-Id': user },
      signal: AbortSignal.timeout(10_000),
    });
    const { path } = (await response.json()) as Pick<Purchase, 'path'>;
    return { user, at: new Date(), path, ok: response.ok };
  } catch {
    return { user, at: new Date(), path: undefined, ok: false };
  }
}
