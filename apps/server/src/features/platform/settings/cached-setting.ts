import { touches } from '#features/platform/event-effects/index.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import { findSetting, type Setting } from './store.ts';

/** A setting that is read with every request: cached until any process changes a setting. */
export class CachedSetting<Value extends object> {
  readonly #setting: Setting<Value>;
  readonly #cached: ReadThroughCache<Value>;

  /** `fallback` is the value while the setting is not stored. */
  constructor({ db, feed }: Pick<Database, 'db' | 'feed'>, setting: Setting<Value>, fallback: Value) {
    this.#setting = setting;
    this.#cached = new ReadThroughCache(
      feed,
      (event) => touches(event, 'settings'),
      async () => (await findSetting(db, setting)) ?? fallback,
      1,
    );
  }

  async get(): Promise<Value> {
    return this.#cached.peek(this.#setting.name) ?? ((await this.#cached.get(this.#setting.name)) as Value);
  }
}
