import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import { touches } from '../event-effects/index.ts';
import { findSetting } from './store.ts';

/** A setting that is read with every request: cached until any process changes a setting. */
export class CachedSetting<Value extends object> {
  readonly #name: string;
  readonly #cached: ReadThroughCache<Value>;

  /** `fallback` is the value while the setting is not stored. */
  constructor({ db, feed }: Pick<Database, 'db' | 'feed'>, name: string, fallback: Value) {
    this.#name = name;
    this.#cached = new ReadThroughCache(
      feed,
      (event) => touches(event, 'settings'),
      async () => (await findSetting<Value>(db, name)) ?? fallback,
      1,
    );
  }

  async get(): Promise<Value> {
    return this.#cached.peek(this.#name) ?? ((await this.#cached.get(this.#name)) as Value);
  }
}
