/**
 * Natural grouping: whatever arrives while one group is being worked on is the next group. A lone item goes at once and a
 * crowd shares one commit.
 *
 * With `patienceMs` a group waits for those who were there a moment ago: who has just been answered often asks again, and
 * would else form a group of its own, that all others wait for. It waits only where there was a crowd, no longer than two
 * groups take, and not again when it waited in vain.
 */
export class Grouper<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  readonly #maxItems: number;
  readonly #patienceMs: number;
  #waiting: Waiting<Item, Result>[] = [];
  #running: Promise<void> | null = null;
  #last = { crowd: 0, tookMs: 0, endedAt: 0 };
  #arrived: () => void = () => undefined;

  /** `work` answers with one outcome an item, in order; when it throws, the whole group fails with that error. */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
    maxItems: number,
    { patienceMs = 0 }: { readonly patienceMs?: number } = {},
  ) {
    this.#work = work;
    this.#maxItems = maxItems;
    this.#patienceMs = patienceMs;
  }

  /** Resolves with the outcome of `item` once the group it is in has been worked on. */
  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#arrived();
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is waiting or being worked on. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    // One turn of the event loop, so that everything that is arriving in this one goes together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const isTogether = await this.#crowdIsBack();
      const group = this.#waiting.splice(0, this.#maxItems);
      const begunAt = performance.now();
      try {
        const outcomes = await this.#work(group.map((waiting) => waiting.item));
        for (const [index, waiting] of group.entries()) settle(waiting, outcomes[index]);
      } catch (error) {
        for (const waiting of group) waiting.reject(error);
      }
      const endedAt = performance.now();
      const crowd = group.length + (isTogether ? this.#waiting.length : 0);
      this.#last = { crowd, tookMs: endedAt - begunAt, endedAt };
    }
    this.#running = null;
  }

  /** Waits until as many are there as were when the last group ended. Answers whether they were, or nobody waited for them. */
  #crowdIsBack(): Promise<boolean> | true {
    const { tookMs, endedAt } = this.#last;
    const crowd = Math.min(this.#last.crowd, this.#maxItems);
    const patienceMs = Math.min(this.#patienceMs, 2 * tookMs);
    if (crowd < leastCrowd || performance.now() - endedAt >= patienceMs || this.#waiting.length >= crowd) return true;
    return new Promise((resolve) => {
      const done = (isBack: boolean) => {
        clearTimeout(timer);
        this.#arrived = () => undefined;
        resolve(isBack);
      };
      const timer = setTimeout(() => done(false), patienceMs);
      this.#arrived = () => {
        if (this.#waiting.length >= crowd) done(true);
      };
    });
  }
}

/** Two who take turns are not worth waiting for: either would be done before the other is back. */
const leastCrowd = 3;

/** What became of one item of a group. */
export type Outcome<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown };

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (value: Result) => void;
  readonly reject: (error: unknown) => void;
}

function settle<Item, Result>(waiting: Waiting<Item, Result>, outcome: Outcome<Result> | undefined): void {
  if (outcome === undefined) waiting.reject(new Error('a group was answered with too few outcomes'));
  else if (outcome.ok) waiting.resolve(outcome.value);
  else waiting.reject(outcome.error);
}
