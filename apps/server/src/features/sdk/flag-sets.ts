import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { FlagSet } from '@yardarm/evaluation';
import type { FeatureQuery } from './feature-query.ts';
import type { ServedFlag } from './served-flag.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Milliseconds of compiling in one turn of the event loop, and about how much longer a turn gets by its last flag. A flag
 * takes microseconds, or some 30 ms with the largest patterns that a flag may have.
 */
const compileMs = 5;

/** Sets that are kept: more tokens of different scope than this are hardly in use at a time. */
const maxSets = 500;

interface Kept {
  readonly environment: string;
  readonly set: FlagSet;
}

/**
 * Flags ready to be evaluated, for each query at its current revision. They are what SDKs of the same query get; whoever
 * evaluates here can not come to another result.
 */
export class FlagSets {
  readonly #snapshot: Snapshot;
  readonly #kept = new Map<string, Kept>();
  readonly #beingMade = new Map<string, Promise<FlagSet>>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    snapshot.onOutdated((environment) => {
      for (const [key, kept] of this.#kept) {
        if (environment === null || kept.environment === environment) this.#kept.delete(key);
      }
    });
  }

  /** The flags of `query` as they are now; a promise when it takes work that others need not wait for. */
  of(query: FeatureQuery): FlagSet | Promise<FlagSet> {
    const kept = this.#kept.get(query.json);
    if (kept !== undefined) return kept.set;
    const flags = this.#snapshot.flags(query);
    const missing = flags.filter((flag) => !flag.isCompiled(query.environment));
    const begun = this.#beingMade.get(query.json);
    if (begun !== undefined) return begun;
    const compiling = compileFlags(missing, query.environment);
    if (compiling === undefined) return this.#make(flags, query);
    const making = compiling
      // Flags that changed meanwhile are new ones: the set is of what holds at the end.
      .then(() => this.#make(this.#snapshot.flags(query), query))
      .finally(() => this.#beingMade.delete(query.json));
    this.#beingMade.set(query.json, making);
    return making;
  }

  #make(flags: readonly ServedFlag[], { environment, json }: FeatureQuery): FlagSet {
    const set = new FlagSet(flags.map((flag) => flag.compiled(environment)));
    if (this.#kept.size >= maxSets) this.#kept.delete(this.#kept.keys().next().value as string);
    this.#kept.set(json, { environment, set });
    return set;
  }
}

/** Makes flags ready to be evaluated; returns a promise where it takes several turns of the event loop. */
export function compileFlags(flags: readonly ServedFlag[], environment: string): Promise<void> | undefined {
  const end = performance.now() + compileMs;
  for (const [index, flag] of flags.entries()) {
    flag.compiled(environment);
    if (index + 1 === flags.length || performance.now() < end) continue;
    return yieldToEventLoop().then(() => compileFlags(flags.slice(index + 1), environment));
  }
  return undefined;
}
