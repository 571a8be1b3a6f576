/** What must hold of a flag, the parent, for another one of its project to be on (docs/spec#flag-dependencies). */
export interface Dependency {
  readonly child: string;
  readonly parent: string;
  /** Whether the parent must be on, or off. */
  readonly enabled: boolean;
  /** One of these variants the parent must have; empty for any. Of a parent that must be off it is empty. */
  readonly variants: readonly string[];
}

/** A dependency as the child shows it, in answers and in the event log. */
export function presentDependency({ parent, enabled, variants }: Omit<Dependency, 'child'>) {
  return { feature: parent, enabled, ...(variants.length === 0 ? {} : { variants: [...variants] }) };
}
