import type { ReadyContext } from './context.ts';
import type { Dependency, Feature } from './document.ts';
import { type CompiledStrategy, compileStrategy, type FindSegment } from './strategy.ts';
import { compileVariants, noVariant, type Pick, type Variant } from './variant.ts';

/** A compiled flag. It is immutable and can be evaluated any number of times. */
export interface CompiledFlag {
  readonly name: string;
  /** Whether the flag is enabled in the environment. */
  readonly enabled: boolean;
  readonly impressionData: boolean;
  readonly strategies: readonly CompiledStrategy[];
  /** Whether any strategy spends units of the evaluation budget. */
  readonly searches: boolean;
  readonly dependencies: readonly Dependency[];
  /** Whether variants of the flag or of its strategies have payloads. */
  readonly hasPayloads: boolean;
  /** Chooses among the flag's own variants. */
  readonly pick: Pick | undefined;
}

/** The result of evaluating a flag for a context. */
export interface Evaluation {
  readonly enabled: boolean;
  readonly variant: Variant;
}

/** Finds a flag's parents by name. */
export type FindFlag = (name: string) => CompiledFlag | undefined;

/** Compiles a flag. A missing segment matches no context. */
export function compileFlag(feature: Feature, find: FindSegment): CompiledFlag {
  const { name, enabled, impressionData, strategies, variants, dependencies } = feature;
  const compiled = (strategies ?? []).map((strategy) => compileStrategy(strategy, name, find));
  return {
    name,
    enabled,
    impressionData: impressionData === true,
    strategies: compiled,
    searches: compiled.some(({ searches }) => searches),
    dependencies: dependencies ?? [],
    hasPayloads: [variants, ...(strategies ?? []).map((strategy) => strategy.variants)].some(
      (list) => list?.some(({ payload }) => payload != null) ?? false,
    ),
    pick: compileVariants(variants, name),
  };
}

/** Evaluates a flag (docs/spec#flag-evaluation). Parents are looked up by `find`. */
export function evaluateFlag(flag: CompiledFlag, context: ReadyContext, find: FindFlag): Evaluation {
  if (!flag.enabled || !dependenciesHold(flag, context, find)) return off;
  if (!flag.searches) return evaluateStrategies(flag, context);
  const { budget } = context;
  const before = budget.beginFlag();
  const evaluation = evaluateStrategies(flag, context);
  budget.endFlag(before);
  return evaluation;
}

function evaluateStrategies({ strategies, pick }: CompiledFlag, context: ReadyContext): Evaluation {
  if (strategies.length === 0) return on(pick?.(context));
  for (const strategy of strategies) {
    if (strategy.passes(context)) return on(strategy.pick?.(context) ?? pick?.(context));
  }
  return off;
}

/** Returns whether {@link evaluateListed} can evaluate the flag: it has no dependencies and spends no budget. */
export function isListable({ searches, dependencies }: CompiledFlag): boolean {
  return !searches && dependencies.length === 0;
}

/**
 * Evaluates a flag like {@link evaluateFlag}, with an index of `IN` constraints: `meetsLists` returns whether the
 * context meets all `IN` constraints of the strategy at a position. `first` is the position of the flag's first
 * strategy.
 */
export function evaluateListed(
  { enabled, strategies, pick }: CompiledFlag,
  context: ReadyContext,
  meetsLists: (strategy: number) => boolean,
  first: number,
): Evaluation {
  if (!enabled) return off;
  if (strategies.length === 0) return on(pick?.(context));
  for (let at = 0; at < strategies.length; at++) {
    if (!meetsLists(first + at)) continue;
    const strategy = strategies[at];
    if (strategy?.passesBesideLists(context)) return on(strategy.pick?.(context) ?? pick?.(context));
  }
  return off;
}

const off: Evaluation = { enabled: false, variant: noVariant };
const onWithoutVariant: Evaluation = { enabled: true, variant: noVariant };

function on(variant: Variant | undefined): Evaluation {
  return variant === undefined ? onWithoutVariant : { enabled: true, variant };
}

/**
 * Returns whether all dependencies of a flag are met (docs/spec#dependency-evaluation). A dependency on a parent that
 * is missing or depends on another flag is not met.
 */
export function dependenciesHold(flag: CompiledFlag, context: ReadyContext, find: FindFlag): boolean {
  return flag.dependencies.every((dependency) => {
    const parent = find(dependency.feature);
    if (parent === undefined || parent.dependencies.length > 0) return false;
    const { enabled, variant } = evaluateFlag(parent, context, find);
    if (dependency.enabled === false) return !enabled;
    const { variants = [] } = dependency;
    return enabled && (variants.length === 0 || variants.includes(variant.name));
  });
}
