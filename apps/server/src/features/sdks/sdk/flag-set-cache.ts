import { FlagSet } from '@yardarm/evaluation';
import { BoundedMap } from '#kernel/bounded-map.ts';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import type { FeatureQuery } from './feature-query.ts';
import type { Snapshot } from './snapshot.ts';
import type { SnapshotFlag } from './snapshot-flag.ts';

/**
 * Milliseconds of compiling per turn of the event loop. The last flag of a turn may exceed it: most flags compile in
 * microseconds, a flag with the largest allowed patterns in about 30 ms.
 */
const compileMs = 5;

/** Cache size. It exceeds the number of tokens with different scopes that are usually in use at a time. */
const maxSets = 500;

interface CacheEntry {
  readonly environment: string;
  readonly set: FlagSet;
}

/**
 * Caches the compiled flags of each query until the next change. Compiled flags are made from the JSON that SDKs get,
 * so evaluation in the server and in an SDK give the same result.
 */
export class FlagSetCache {
  readonly #snapshot: Snapshot;
  readonly #entries = new BoundedMap<string, CacheEntry>(maxSets);
  readonly #pending = new Map<string, Promise<FlagSet>>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    snapshot.onInvalidated((environment) => {
      for (const [key, entry] of this.#entries) {
        if (environment === null || entry.environment === environment) this.#entries.delete(key);
      }
    });
  }

  /** Returns the current flags of `query`; a promise when compiling them takes several turns of the event loop. */
  of(query: FeatureQuery): FlagSet | Promise<FlagSet> {
    const entry = this.#entries.get(query.json);
    if (entry !== undefined) return entry.set;
    const flags = this.#snapshot.flags(query);
    const missing = flags.filter((flag) => !flag.isCompiled(query.environment));
    const begun = this.#pending.get(query.json);
    if (begun !== undefined) return begun;
    const compiling = compileFlags(missing, query.environment);
    if (compiling === undefined) return this.#add(flags, query);
    const pending = compiling
      // Read the flags again: some may have changed while the others were compiled.
      .then(() => this.#add(this.#snapshot.flags(query), query))
      .finally(() => this.#pending.delete(query.json));
    this.#pending.set(query.json, pending);
    return pending;
  }

  #add(flags: readonly SnapshotFlag[], { environment, json }: FeatureQuery): FlagSet {
    const set = new FlagSet(flags.map((flag) => flag.compiled(environment)));
    this.#entries.set(json, { environment, set });
    return set;
  }
}

/** Compiles flags; returns a promise when it takes several turns of the event loop. */
export function compileFlags(flags: readonly SnapshotFlag[], environment: string): Promise<void> | undefined {
  const end = performance.now() + compileMs;
  for (const [index, flag] of flags.entries()) {
    flag.compiled(environment);
    if (index + 1 === flags.length || performance.now() < end) continue;
    return yieldToEventLoop().then(() => compileFlags(flags.slice(index + 1), environment));
  }
  return undefined;
}
