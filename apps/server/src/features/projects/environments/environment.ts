/** A place where applications run, such as development or production. A flag has a state in each environment. */
export interface Environment {
  readonly name: string;
  readonly type: string;
  /** True when new projects get this environment. */
  readonly enabled: boolean;
  readonly protected: boolean;
  readonly sortOrder: number;
  /** Default number of approvals for projects that turn review on here; null for no default. */
  readonly requiredApprovals: number | null;
}

/** Counts of an environment, in the instance or in one project. */
export interface EnvironmentUse {
  readonly projects: number;
  readonly tokens: number;
  /** Flags that are on in the environment and not archived. */
  readonly enabledFlags: number;
}

/** The event data of an environment. */
export function environmentEventData(environment: Environment): Record<string, unknown> {
  const { name, type, enabled, protected: isProtected, sortOrder, requiredApprovals } = environment;
  return { name, type, enabled, protected: isProtected, sortOrder, requiredApprovals };
}
