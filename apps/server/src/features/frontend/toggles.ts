import type { CompiledFlag, FlagSet, ReadyContext, Variant } from '@yardarm/evaluation';
import { noVariant } from '@yardarm/evaluation';

/**
 * The JSON of what flags are for somebody. A flag that is on has few answers, one for each variant, so their texts are made
 * once; they go when the flag or variant they are of goes.
 */
export class ToggleTexts {
  readonly #withoutVariant = new WeakMap<CompiledFlag, string>();
  readonly #withVariant = new WeakMap<Variant, string>();

  /** The body of an answer: the flags that are on, in the order of the set (unleash-facts 5). */
  body(flags: FlagSet, context: ReadyContext): string {
    const texts: string[] = [];
    for (const flag of flags.flags) {
      const { enabled, variant } = flags.evaluate(flag, context);
      if (enabled) texts.push(this.#of(flag, variant));
    }
    return `{"toggles":[${texts.join(',')}]}`;
  }

  #of(flag: CompiledFlag, variant: Variant): string {
    const isNone = variant === noVariant;
    const known = isNone ? this.#withoutVariant.get(flag) : this.#withVariant.get(variant);
    if (known !== undefined) return known;
    const text = JSON.stringify({
      name: flag.name,
      enabled: true,
      variant: { ...variant, feature_enabled: true, featureEnabled: true },
      impressionData: flag.impressionData,
    });
    // A variant belongs to one flag.
    if (isNone) this.#withoutVariant.set(flag, text);
    else this.#withVariant.set(variant, text);
    return text;
  }
}
