import type { ReadyContext } from './context.ts';
import type { Override, Payload, VariantDefinition } from './document.ts';
import { variantBucket } from './hash-buckets.ts';

/** The variant for a context. */
export interface Variant {
  readonly name: string;
  readonly enabled: boolean;
  readonly payload?: Payload;
}

/** The answer when a context gets no variant (docs/spec#variants). */
export const noVariant: Variant = { name: 'disabled', enabled: false };

/** Picks a variant; undefined when all weights are 0. */
export type Pick = (context: ReadyContext) => Variant | undefined;

/**
 * Compiles the choice among variants (docs/spec#variants). Variants of a flag are hashed with the name of the flag,
 * variants of a strategy with its group. `stickiness` applies when the first variant has none. Returns undefined when
 * there are no variants.
 */
export function compileVariants(
  definitions: readonly VariantDefinition[] | null | undefined,
  groupId: string,
  stickiness?: string,
): Pick | undefined {
  if (definitions == null || definitions.length === 0) return undefined;
  const choices = definitions.map(({ weight, ...rest }) => ({ weight: weight > 0 ? weight : 0, variant: given(rest) }));
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  if (total <= 0) return () => undefined;
  const overrides = definitions.flatMap((definition) =>
    (definition.overrides ?? []).map((override) => compileOverride(override, given(definition))),
  );
  const placeOf = variantBucket(groupId, total);
  const idOf = stickyId(definitions[0]?.stickiness || stickiness || 'default');
  return (context) => {
    for (const { passes, variant } of overrides) if (passes(context)) return variant;
    const place = placeOf(idOf(context));
    let reached = 0;
    for (const { weight, variant } of choices) {
      reached += weight;
      if (weight > 0 && reached >= place) return variant;
    }
    return undefined;
  };
}

function given({ name, payload }: Named): Variant {
  return payload == null ? { name, enabled: true } : { name, enabled: true, payload };
}

type Named = Omit<VariantDefinition, 'weight'>;

function compileOverride({ contextName, values }: Override, variant: Variant) {
  const wanted = new Set(values);
  const passes = (context: ReadyContext): boolean => {
    const text = context.values.get(contextName);
    return text !== undefined && wanted.has(text);
  };
  return { passes, variant };
}

/**
 * Returns a function that returns the value to hash for a stickiness, or a random value when the context has no value.
 */
function stickyId(stickiness: string): (context: ReadyContext) => string {
  if (stickiness === 'random') return randomId;
  if (stickiness === 'default') {
    return (context) => context.userId || context.sessionId || context.remoteAddress || randomId(context);
  }
  return (context) => context.values.get(stickiness) || randomId(context);
}

function randomId({ random }: ReadyContext): string {
  return String(Math.round(random() * 100_000));
}
