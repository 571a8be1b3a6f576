import type { BulkRow, BulkTable, Thing, Touches } from './engine.ts';

/** A mistake in the code of a change, which would never come to light if the change were done again. */
export class AskedTooLate extends Error {
  constructor() {
    super('a change must have asked for everything by the time it ends');
  }
}

/** Watches what one piece of work asks for. Given what it is about, it runs beside others, and may write nothing else. */
export class Watch {
  readonly #about: Thing | undefined;
  #closed = false;
  #left = false;
  #refused = false;
  /** The first that failed of what it asked for, where that was not undone since: the transaction takes nothing more. */
  failure: { readonly error: unknown } | undefined;

  constructor(about: Thing | undefined) {
    this.#about = about;
  }

  /** Whether anything that it asked for may stand in the transaction or have broken it. */
  get left(): boolean {
    return this.#left;
  }

  /** Whether it asked for something that is not for it alone, whatever became of the error. */
  get refused(): boolean {
    return this.#refused;
  }

  close(): void {
    this.#closed = true;
  }

  /** Asks for a statement. Rejects when that cannot be asked, or not beside others. */
  async statement<T>(sql: string, touches: Touches | undefined, ask: () => Promise<T>): Promise<T> {
    return isReading(sql) ? this.reading(ask) : this.writing(touches, ask);
  }

  /** Asks for something that only reads. Rejects as {@link statement} does. */
  async reading<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new AskedTooLate();
    try {
      return await ask();
    } catch (error) {
      this.#left = true;
      this.failure ??= { error };
      throw error;
    }
  }

  /** Asks for something that writes. Rejects as {@link statement} does. */
  async writing<T>(touches: Touches | undefined, ask: () => Promise<T>): Promise<T> {
    if (this.#about !== undefined && !isOnly(this.#about, touches)) this.#refuse();
    this.#left = true;
    return this.reading(ask);
  }

  /** Asks for rows to be inserted. Rejects as {@link statement} does. */
  async inserting<T>(into: BulkTable, rows: readonly BulkRow[], ask: () => Promise<T>): Promise<T> {
    return this.writing(this.#about === undefined ? undefined : featuresOf(into, rows), ask);
  }

  /** Does something that is undone by itself, which what runs beside others cannot be. */
  async part<T>(work: () => Promise<T>): Promise<T> {
    if (this.#about !== undefined) this.#refuse();
    return work();
  }

  #refuse(): never {
    this.#refused = true;
    throw new Error('a change beside others asked for what is not for it alone');
  }
}

/** Whether a statement only reads. */
export function isReading(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}

function isOnly(about: Thing, touches: Touches | undefined): boolean {
  return touches === 'sums' || (touches?.every((thing) => thing === about) ?? false);
}

/** The flags whose rows these are; undefined when the table does not tell. */
function featuresOf({ columns }: BulkTable, rows: readonly BulkRow[]): Thing[] | undefined {
  const at = columns.findIndex(([name]) => name === 'feature_name');
  return at === -1 ? undefined : rows.map((row) => `feature ${row[at]}` as const);
}
