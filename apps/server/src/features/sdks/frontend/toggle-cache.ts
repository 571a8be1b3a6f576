import type { CompiledFlag, FlagSet, ReadyContext, Variant } from '@yardarm/evaluation';
import { noVariant } from '@yardarm/evaluation';
import { digestOf, type EvaluatedFlags, forEachInSlices } from '#features/sdks/sdk/index.ts';

/** The JSON of a flag that is on, and its digest. */
interface ToggleJson {
  readonly json: string;
  readonly digest: string;
}

/**
 * Caches the JSON of flags that are on. A flag has one JSON for each variant, so few are needed. A cached JSON is
 * dropped with its flag or variant.
 */
export class ToggleCache {
  readonly #withoutVariant = new WeakMap<CompiledFlag, ToggleJson>();
  readonly #withVariant = new WeakMap<Variant, ToggleJson>();

  /**
   * Evaluates the flags and returns those that are on, in the order of the set (docs/spec#frontend-api). Returns a
   * promise when the evaluation takes several turns of the event loop.
   */
  evaluate(flags: FlagSet, context: ReadyContext): EvaluatedFlags | Promise<EvaluatedFlags> {
    const toggles: ToggleJson[] = [];
    const evaluate = flags.evaluator(context);
    const pending = forEachInSlices(flags.all, context.budget, (member) => {
      const { enabled, variant } = evaluate(member);
      if (enabled) toggles.push(this.#toggle(member.flag, variant));
    });
    return pending === undefined ? toggleList(toggles) : pending.then(() => toggleList(toggles));
  }

  #toggle(flag: CompiledFlag, variant: Variant): ToggleJson {
    const hasNoVariant = variant === noVariant;
    const cached = hasNoVariant ? this.#withoutVariant.get(flag) : this.#withVariant.get(variant);
    if (cached !== undefined) return cached;
    const json = JSON.stringify({
      name: flag.name,
      enabled: true,
      variant: { ...variant, feature_enabled: true, featureEnabled: true },
      impressionData: flag.impressionData,
    });
    const toggle = { json, digest: digestOf(json) };
    // A variant object belongs to one flag, so it can be the key.
    if (hasNoVariant) this.#withoutVariant.set(flag, toggle);
    else this.#withVariant.set(variant, toggle);
    return toggle;
  }
}

function toggleList(toggles: readonly ToggleJson[]): EvaluatedFlags {
  return {
    // All digests have the same length, so the joined text is unambiguous without separators.
    digest: digestOf(toggles.map(({ digest }) => digest).join('')),
    body: () => `{"toggles":[${toggles.map(({ json }) => json).join(',')}]}`,
  };
}
