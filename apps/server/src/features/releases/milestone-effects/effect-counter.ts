import type { Evaluation, EvaluationContext } from '@yardarm/evaluation';

/** The kinds of changes for a context. */
type Change = 'gained' | 'lost' | 'changedVariant';

/** How the answers for contexts change, in numbers of contexts. */
export interface EffectCounts extends Readonly<Record<Change, number>> {
  readonly contexts: number;
  /** Contexts for which the flag is on. */
  readonly before: number;
  readonly after: number;
  /** Sorted by name. */
  readonly variants: { readonly name: string; readonly before: number; readonly after: number }[];
}

/** Contexts of each kind of change. */
export type EffectExamples = Readonly<Record<Change, Record<string, unknown>[]>>;

/** The number of examples of each kind of change. */
const maxExamples = 5;

/** Counts how the evaluations of a flag change from context to context. */
export class EffectCounter {
  readonly #counts = { contexts: 0, before: 0, after: 0, gained: 0, lost: 0, changedVariant: 0 };
  readonly #variants = new Map<string, { before: number; after: number }>();
  /** The first five of each kind. */
  readonly examples: EffectExamples = { gained: [], lost: [], changedVariant: [] };

  /** Counts a context with its evaluations before and after the change. */
  add(context: EvaluationContext, before: Evaluation, after: Evaluation): void {
    this.#counts.contexts++;
    this.#count('before', before);
    this.#count('after', after);
    const change = changeOf(before, after);
    if (change === undefined) return;
    this.#counts[change]++;
    if (this.examples[change].length < maxExamples) this.examples[change].push({ ...context });
  }

  /** Returns the counts of all contexts so far. */
  counts(): EffectCounts {
    const sorted = [...this.#variants].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const variants = sorted.map(([name, counts]) => ({ name, ...counts }));
    return { ...this.#counts, variants };
  }

  #count(side: 'before' | 'after', { enabled, variant }: Evaluation): void {
    if (!enabled) return;
    this.#counts[side]++;
    if (!variant.enabled) return;
    const counts = this.#variants.get(variant.name) ?? { before: 0, after: 0 };
    counts[side]++;
    this.#variants.set(variant.name, counts);
  }
}

function changeOf(before: Evaluation, after: Evaluation): Change | undefined {
  if (before.enabled !== after.enabled) return after.enabled ? 'gained' : 'lost';
  const isSame = before.variant.enabled === after.variant.enabled && before.variant.name === after.variant.name;
  return isSame ? undefined : 'changedVariant';
}
