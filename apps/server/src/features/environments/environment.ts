/** A place that flags have a state in of their own, such as development or production. */
export interface Environment {
  readonly name: string;
  readonly type: string;
  /** Whether new projects get it. */
  readonly enabled: boolean;
  readonly protected: boolean;
  readonly sortOrder: number;
  /** Approvals that a change in it needs where changes are reviewed; null where nothing is said. */
  readonly requiredApprovals: number | null;
}

/** How much there is in an environment, of the instance or of one project. */
export interface EnvironmentUse {
  readonly projects: number;
  readonly tokens: number;
  /** Flags that are on in it and not archived. */
  readonly enabledFlags: number;
}

/** An environment as the event log keeps it. */
export function environmentEventData(environment: Environment): Record<string, unknown> {
  const { name, type, enabled, protected: isProtected, sortOrder, requiredApprovals } = environment;
  return { name, type, enabled, protected: isProtected, sortOrder, requiredApprovals };
}
