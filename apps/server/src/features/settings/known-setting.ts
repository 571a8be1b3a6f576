import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import { findSetting } from './store.ts';

/** A setting that is looked at with every request: read once, and again after any process has changed a setting. */
export class KnownSetting<Value extends object> {
  readonly #name: string;
  readonly #known: ReadThroughCache<Value>;

  /** `fallback` is what it is while nobody has set it. */
  constructor({ db, feed }: Pick<Database, 'db' | 'feed'>, name: string, fallback: Value) {
    this.#name = name;
    this.#known = new ReadThroughCache(
      feed,
      ({ type }) => type.startsWith('setting-'),
      async () => (await findSetting<Value>(db, name)) ?? fallback,
      1,
    );
  }

  async get(): Promise<Value> {
    return this.#known.peek(this.#name) ?? ((await this.#known.get(this.#name)) as Value);
  }
}
