import { setImmediate as nextTurn } from 'node:timers/promises';
import { FlagSet } from '@yardarm/evaluation';
import type { FeatureQuery } from './feature-query.ts';
import type { ServedFlag } from './served-flag.ts';
import type { Snapshot } from './snapshot.ts';

/** Flags that are compiled in one turn of the event loop: few, as the first ones run before the code is optimised. */
const flagsAtOnce = 50;

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
    if (missing.length <= flagsAtOnce) return this.#make(flags, query);
    const begun = this.#beingMade.get(query.json);
    if (begun !== undefined) return begun;
    const making = compile(missing, query.environment)
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

async function compile(flags: readonly ServedFlag[], environment: string): Promise<void> {
  for (const [index, flag] of flags.entries()) {
    flag.compiled(environment);
    if ((index + 1) % flagsAtOnce === 0) await nextTurn();
  }
}
