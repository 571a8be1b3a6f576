/** The rule for names of one kind. */
export interface NameRule {
  accepts(name: string): boolean;
  /** Characters that a name may hold. */
  readonly characters: RegExp;
  readonly min: number;
  readonly max: number;
}

/** The mapping from names in Unleash to names in Yardarm. */
export interface NameMap {
  /** Returns the name in Yardarm for a name in Unleash. */
  of(name: string): string;
  /** The renamed names, each as `old → new`. */
  readonly changed: readonly string[];
}

/**
 * Maps names to distinct names that a rule accepts. An accepted name is kept. The result is the
 * same for the same names in any order.
 */
export function mapNames(names: readonly string[], rule: NameRule): NameMap {
  const sorted = [...new Set(names)].toSorted();
  const refused = sorted.filter((name) => !rule.accepts(name));
  const taken = new Set(sorted.filter((name) => rule.accepts(name)));
  const renamed = new Map<string, string>();
  for (const name of refused) {
    const allowed = [...name.trim()].map((character) => (rule.characters.test(character) ? character : '_')).join('');
    const base = allowed.slice(0, rule.max).padEnd(rule.min, '_');
    let candidate = base;
    for (let next = 2; taken.has(candidate) || !rule.accepts(candidate); next++) {
      candidate = `${base.slice(0, rule.max - `${next}`.length - 1)}_${next}`;
    }
    taken.add(candidate);
    renamed.set(name, candidate);
  }
  return {
    of: (name) => renamed.get(name) ?? name,
    changed: [...renamed].map(([from, to]) => `${JSON.stringify(from)} → ${to}`),
  };
}
