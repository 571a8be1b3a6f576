import type { ReadyContext } from './context.ts';
import type { ClientDocument } from './document.ts';
import { explainFlag, type FlagExplanation } from './explain.ts';
import { type CompiledFlag, compileFlag, type Evaluation, evaluateFlag, evaluateListed, isListable } from './flag.ts';
import { ListedValues } from './listed-values.ts';
import { compileSegment } from './strategy.ts';

/** Evaluations of all flags after which it pays to prepare for more: preparing takes as long as some twenty of them. */
const usesBeforePreparing = 50;

/** A flag of a set, for {@link FlagSet.evaluator}. */
export interface FlagOfSet {
  readonly flag: CompiledFlag;
  /**
   * The position of its first strategy among those of the set; undefined where it is evaluated one strategy after the
   * other.
   */
  readonly first: number | undefined;
}

/** Flags that can see each other: one may depend on another only within the set. */
export class FlagSet {
  readonly #flags: ReadonlyMap<string, CompiledFlag>;
  readonly #find = (name: string) => this.#flags.get(name);
  readonly #listedValues: ListedValues;
  #uses = 0;
  #isPrepared = false;

  /** All flags, in the order they were given. */
  readonly all: readonly FlagOfSet[];

  constructor(flags: Iterable<CompiledFlag>) {
    this.#flags = new Map([...flags].map((flag) => [flag.name, flag]));
    let strategies = 0;
    this.all = [...this.#flags.values()].map((flag) => {
      const first = strategies;
      strategies += flag.strategies.length;
      return { flag, first: isListable(flag) ? first : undefined };
    });
    this.#listedValues = new ListedValues(this.all.flatMap(({ flag }) => flag.strategies));
  }

  get(name: string): CompiledFlag | undefined {
    return this.#flags.get(name);
  }

  /** What a flag of this set is for somebody. */
  evaluate(flag: CompiledFlag, context: ReadyContext): Evaluation {
    return evaluateFlag(flag, context, this.#find);
  }

  /** Prepares the evaluation of all flags for somebody: each is what {@link evaluate} says. */
  evaluator(context: ReadyContext): (flag: FlagOfSet) => Evaluation {
    if (!this.#isPrepared) {
      if (++this.#uses > usesBeforePreparing) this.#isPrepared = this.#listedValues.prepareSome();
      return ({ flag }) => this.evaluate(flag, context);
    }
    const meetsLists = this.#listedValues.metBy(context);
    return ({ flag, first }) =>
      first === undefined ? this.evaluate(flag, context) : evaluateListed(flag, context, meetsLists, first);
  }

  /** What a flag of this set is for somebody, and why. */
  explain(flag: CompiledFlag, context: ReadyContext): FlagExplanation {
    return explainFlag(flag, context, this.#find);
  }
}

/** Prepares all flags of a document as SDKs get it. */
export function compileDocument({ features, segments = [] }: ClientDocument): FlagSet {
  const compiled = new Map(segments.map((segment) => [segment.id, compileSegment(segment)]));
  return new FlagSet(features.map((feature) => compileFlag(feature, (id) => compiled.get(id))));
}
