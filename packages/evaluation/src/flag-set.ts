import type { ReadyContext } from './context.ts';
import type { ClientDocument } from './document.ts';
import { explainFlag, type FlagExplanation } from './explain.ts';
import { type CompiledFlag, compileFlag, type Evaluation, evaluateFlag, evaluateListed, isListable } from './flag.ts';
import { ListedValues } from './listed-values.ts';
import { compileSegment } from './strategy.ts';

/** The number of evaluations of the whole set before an index is built, which costs about twenty evaluations. */
const usesBeforePreparing = 50;

/** A flag of a set, for {@link FlagSet.evaluator}. */
export interface FlagOfSet {
  readonly flag: CompiledFlag;
  /**
   * The position of the flag's first strategy among all strategies of the set; undefined when the flag cannot use the
   * index.
   */
  readonly first: number | undefined;
}

/** A set of flags that are evaluated together. Dependencies are resolved within the set. */
export class FlagSet {
  readonly #flags: ReadonlyMap<string, CompiledFlag>;
  readonly #find = (name: string) => this.#flags.get(name);
  readonly #listedValues: ListedValues;
  #uses = 0;
  #isPrepared = false;

  /** All flags, in the order given. */
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

  /** Evaluates a flag of this set for a context. */
  evaluate(flag: CompiledFlag, context: ReadyContext): Evaluation {
    return evaluateFlag(flag, context, this.#find);
  }

  /** Returns an evaluator of all flags for one context, with the same results as {@link evaluate}. */
  evaluator(context: ReadyContext): (flag: FlagOfSet) => Evaluation {
    if (!this.#isPrepared) {
      if (++this.#uses > usesBeforePreparing) this.#isPrepared = this.#listedValues.prepareSome();
      return ({ flag }) => this.evaluate(flag, context);
    }
    const meetsLists = this.#listedValues.metBy(context);
    return ({ flag, first }) =>
      first === undefined ? this.evaluate(flag, context) : evaluateListed(flag, context, meetsLists, first);
  }

  /** Evaluates a flag of this set for a context and explains the result. */
  explain(flag: CompiledFlag, context: ReadyContext): FlagExplanation {
    return explainFlag(flag, context, this.#find);
  }
}

/** Compiles all flags of a document that SDKs get. */
export function compileDocument({ features, segments = [] }: ClientDocument): FlagSet {
  const compiled = new Map(segments.map((segment) => [segment.id, compileSegment(segment)]));
  return new FlagSet(features.map((feature) => compileFlag(feature, (id) => compiled.get(id))));
}
