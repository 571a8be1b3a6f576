import type { CompiledFlag, FlagSet, ReadyContext, Variant } from '@yardarm/evaluation';
import { noVariant } from '@yardarm/evaluation';
import { type Evaluated, inTurns, markOf } from '../sdk/index.ts';

/** The JSON of a flag that is on, and what stands for it. */
interface ToggleText {
  readonly text: string;
  readonly mark: string;
}

/**
 * The JSON of what flags are for somebody. A flag that is on has few answers, one for each variant, so their texts are made
 * once; they go when the flag or variant they are of goes.
 */
export class ToggleTexts {
  readonly #withoutVariant = new WeakMap<CompiledFlag, ToggleText>();
  readonly #withVariant = new WeakMap<Variant, ToggleText>();

  /** The flags that are on, in the order of the set (docs/spec#frontend-api); a promise when it takes several turns. */
  evaluated(flags: FlagSet, context: ReadyContext): Evaluated | Promise<Evaluated> {
    const toggles: ToggleText[] = [];
    const evaluate = flags.evaluator(context);
    const more = inTurns(flags.all, context.budget, (one) => {
      const { enabled, variant } = evaluate(one);
      if (enabled) toggles.push(this.#of(one.flag, variant));
    });
    return more === undefined ? listOf(toggles) : more.then(() => listOf(toggles));
  }

  #of(flag: CompiledFlag, variant: Variant): ToggleText {
    const isNone = variant === noVariant;
    const known = isNone ? this.#withoutVariant.get(flag) : this.#withVariant.get(variant);
    if (known !== undefined) return known;
    const text = JSON.stringify({
      name: flag.name,
      enabled: true,
      variant: { ...variant, feature_enabled: true, featureEnabled: true },
      impressionData: flag.impressionData,
    });
    const made = { text, mark: markOf(text) };
    // A variant belongs to one flag.
    if (isNone) this.#withoutVariant.set(flag, made);
    else this.#withVariant.set(variant, made);
    return made;
  }
}

function listOf(toggles: readonly ToggleText[]): Evaluated {
  return {
    // All marks are of one length, so no two lists of them read alike.
    mark: markOf(toggles.map(({ mark }) => mark).join('')),
    body: () => `{"toggles":[${toggles.map(({ text }) => text).join(',')}]}`,
  };
}
