import { Problem } from '../../kernel/errors.ts';

/** Something that the database can be asked for once for several who ask for it at the same time. */
export interface Shared<Item, Result, Door> {
  /** Asks for all of them, through `door`, before it waits for any answer. One result an item, in their order. */
  ask(door: Door, items: readonly Item[]): Promise<readonly Result[]>;
  /** Whether another one goes with these. Any does when absent. */
  goesWith?(items: readonly Item[], another: Item): boolean;
}

/** One of those who ask. What it asks for is done in the order in which it asked. */
export interface Asker {
  /** Where what it asked for last stands. */
  last: number;
}

/** One wish among others that are `like` it. Only such are asked for together. */
export interface Wish<Item, Result, Door> {
  readonly shared: Shared<Item, Result, Door>;
  readonly item: Item;
  readonly like: string;
  readonly by?: Asker | undefined;
  readonly writes?: boolean;
}

interface Asked {
  readonly item: unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

interface Entry<Door> {
  readonly shared: Shared<unknown, unknown, Door>;
  readonly like: string;
  readonly place: number;
  readonly asked: Asked[];
}

/**
 * What several ask one connection for at the same time, which is: before any of them waits for an answer. What is alike goes
 * there as one statement. A statement costs both sides far more than the few rows that most of ours are about.
 */
export class Together<Door> {
  readonly #door: Door;
  readonly #whenOneFails: 'each alone' | 'all fail';
  #entries: Entry<Door>[] = [];
  #place = 0;
  #writes = false;

  /** With `each alone`, nobody fails for what another one asked: it is asked again one by one. */
  constructor(door: Door, whenOneFails: 'each alone' | 'all fail') {
    this.#door = door;
    this.#whenOneFails = whenOneFails;
  }

  /** Whether anything that writes has not been sent yet. */
  get writes(): boolean {
    return this.#writes;
  }

  ask<Item, Result>({ shared, item, like, by, writes }: Wish<Item, Result, Door>): Promise<Result> {
    const entry =
      this.#entries.find((one) => takes(one, shared, item, like, by)) ??
      this.#open(shared as Entry<Door>['shared'], like);
    if (by !== undefined) by.last = entry.place;
    if (writes === true) this.#writes = true;
    return new Promise<Result>((resolve, reject) => entry.asked.push({ item, resolve, reject }));
  }

  /** Sends what has been asked for so far. To be called before anything that must come after it is sent another way. */
  flush(): void {
    const entries = this.#entries;
    this.#entries = [];
    this.#writes = false;
    for (const { shared, asked } of entries) void this.#answer(shared, asked);
  }

  #open(shared: Entry<Door>['shared'], like: string): Entry<Door> {
    // The next tick comes when no promise is left to go on with, and so nothing more to ask before an answer.
    if (this.#entries.length === 0) process.nextTick(() => this.flush());
    const entry = { shared, like, place: ++this.#place, asked: [] };
    this.#entries.push(entry);
    return entry;
  }

  async #answer(shared: Entry<Door>['shared'], asked: readonly Asked[]): Promise<void> {
    try {
      const results = await shared.ask(
        this.#door,
        asked.map(({ item }) => item),
      );
      for (const [index, { resolve }] of asked.entries()) resolve(results[index] as never);
    } catch (error) {
      // That the database is out of reach, which is told as a problem, is not for what one of them asked.
      if (asked.length > 1 && this.#whenOneFails === 'each alone' && !(error instanceof Problem)) {
        await Promise.all(asked.map((one) => this.#answer(shared, [one])));
      } else {
        for (const { reject } of asked) reject(error);
      }
    }
  }
}

/** Whether what is asked for here may be done there, behind all that its asker asked for before. */
function takes<Door>(entry: Entry<Door>, shared: object, item: unknown, like: string, by: Asker | undefined): boolean {
  if (entry.shared !== shared || entry.like !== like || (by !== undefined && entry.place < by.last)) return false;
  const { goesWith } = entry.shared;
  return (
    goesWith === undefined ||
    goesWith(
      entry.asked.map((one) => one.item),
      item,
    )
  );
}
