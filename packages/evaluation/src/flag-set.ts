import type { ReadyContext } from './context.ts';
import type { ClientDocument } from './document.ts';
import { explainFlag, type FlagExplanation } from './explain.ts';
import { type CompiledFlag, compileFlag, type Evaluation, evaluateFlag } from './flag.ts';
import { compileSegment } from './strategy.ts';

/** Flags that can see each other: one may depend on another only within the set. */
export class FlagSet {
  readonly #flags: ReadonlyMap<string, CompiledFlag>;
  readonly #find = (name: string) => this.#flags.get(name);

  constructor(flags: Iterable<CompiledFlag>) {
    this.#flags = new Map([...flags].map((flag) => [flag.name, flag]));
  }

  /** All flags, in the order they were given. */
  get flags(): Iterable<CompiledFlag> {
    return this.#flags.values();
  }

  get(name: string): CompiledFlag | undefined {
    return this.#flags.get(name);
  }

  /** What a flag of this set is for somebody. */
  evaluate(flag: CompiledFlag, context: ReadyContext): Evaluation {
    return evaluateFlag(flag, context, this.#find);
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
