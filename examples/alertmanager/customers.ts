import { setTimeout as pause } from 'node:timers/promises';

/** The number of customers, each with a user id. A rollout to 10 % of all users includes 11 of these. */
export const customerCount = 100;

/** A purchase of a customer, as the shop answered it. */
export interface Purchase {
  readonly user: string;
  readonly at: Date;
  /** The checkout that was used, or undefined when the shop did not answer. */
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

  /** The number of purchases so far. Pass it as `after` to look at later purchases only. */
  get count(): number {
    return this.#purchases.length;
  }

  /** Returns the first purchase with this checkout and outcome, leaving out the first `after` purchases. */
  first(like: Pick<Purchase, 'path' | 'ok'>, after: number): Purchase | undefined {
    return this.#purchases.slice(after).find(({ path, ok }) => path === like.path && ok === like.ok);
  }

  /** Returns how many purchases failed, leaving out the first `after` purchases. */
  failures(after: number): number {
    return this.#purchases.slice(after).filter(({ ok }) => !ok).length;
  }

  /**
   * Returns the first successful purchase by the old checkout of a customer whose purchase had failed before. Leaves
   * out the first `after` purchases.
   */
  recovery(after: number): Purchase | undefined {
    const later = this.#purchases.slice(after);
    const failed = new Set<string>();
    for (const purchase of later) {
      if (!purchase.ok) failed.add(purchase.user);
      else if (purchase.path === 'old' && failed.has(purchase.user)) return purchase;
    }
    return undefined;
  }

  /** Returns the share of the new checkout in the purchases between two times, in percent. */
  newPercent(from: Date, to: Date): number {
    const within = this.#purchases.filter(({ at }) => at >= from && at < to);
    return (100 * within.filter(({ path }) => path === 'new').length) / within.length;
  }

  /**
   * Returns the latest purchase if the last purchase of each customer succeeded with the new checkout; else undefined.
   */
  everyoneHasNew(): Purchase | undefined {
    const latest = this.#purchases.slice(-customerCount);
    if (latest.length < customerCount) return undefined;
    return latest.every(({ path, ok }) => path === 'new' && ok) ? latest.at(-1) : undefined;
  }

  /** Stops the customers. Resolves when the last purchase has ended. */
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
