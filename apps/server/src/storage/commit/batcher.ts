import { yieldToEventLoop } from '#kernel/event-loop.ts';

/**
 * Natural batching: items that arrive while one batch is being processed form the next batch. A lone item is processed
 * at once; items that arrive together share one commit.
 */
export class Batcher<Item, Result> {
  readonly #process: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  readonly #maxWeight: number;
  readonly #weightOf: (item: Item) => number;
  #queue: Queued<Item, Result>[] = [];
  #running: Promise<void> | null = null;

  /**
   * `process` resolves with one outcome per item, in order; when it rejects, all items of the batch fail with its
   * error. A batch weighs at most `maxWeight`, or is a single item; by default each item weighs 1.
   */
  constructor(
    process: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
    maxWeight: number,
    weightOf: (item: Item) => number = () => 1,
  ) {
    this.#process = process;
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  /** Settles with the outcome of `item` when its batch has been processed. */
  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no item is queued or being processed. */
  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    // Wait one turn of the event loop, so that all items that arrive in this turn share the batch.
    await yieldToEventLoop();
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#nextCount());
      try {
        const outcomes = await this.#process(batch.map(({ item }) => item));
        for (const [index, queued] of batch.entries()) settle(queued, outcomes[index]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = null;
  }

  /** Returns the number of queued items of the next batch. */
  #nextCount(): number {
    let count = 0;
    for (let weight = 0; count < this.#queue.length; count += 1) {
      weight += this.#weightOf((this.#queue[count] as Queued<Item, Result>).item);
      if (weight > this.#maxWeight) break;
    }
    return Math.max(count, 1);
  }
}

/** The outcome of one item of a batch. */
export type Outcome<Result> =
  | { readonly ok: true; readonly value: Result }
  | { readonly ok: false; readonly error: unknown };

interface Queued<Item, Result> {
  readonly item: Item;
  readonly resolve: (value: Result) => void;
  readonly reject: (error: unknown) => void;
}

function settle<Item, Result>({ resolve, reject }: Queued<Item, Result>, outcome: Outcome<Result> | undefined): void {
  if (outcome === undefined) reject(new Error('the batch resolved with fewer outcomes than items'));
  else if (outcome.ok) resolve(outcome.value);
  else reject(outcome.error);
}
