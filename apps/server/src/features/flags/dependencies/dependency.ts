/** The state that a parent flag must have for its child flag to be on (docs/spec#flag-dependencies). */
export interface Dependency {
  readonly child: string;
  readonly parent: string;
  /** The required state of the parent: true for on, false for off. */
  readonly enabled: boolean;
  /** The variants of which the parent must have one. Empty for any variant, and when the parent must be off. */
  readonly variants: readonly string[];
}

/** Returns a dependency as the child's field in answers and in the event log. */
export function presentDependency({ parent, enabled, variants }: Omit<Dependency, 'child'>) {
  return { feature: parent, enabled, ...(variants.length === 0 ? {} : { variants: [...variants] }) };
}
