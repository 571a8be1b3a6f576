/** An application: all instances that report under one name. Times are milliseconds UTC. */
export interface Application {
  readonly appName: string;
  readonly strategies: readonly string[];
  readonly description: string | null;
  readonly url: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  /**
   * Whether an SDK has registered under this name or a person has described it. If false, it has only reported counts.
   */
  readonly announced: boolean;
  /** Whether a person has described it. A described application is never deleted by retention. */
  readonly described: boolean;
  /** The description by persons who cannot see the application, and all that they see of it; null for none. */
  readonly shown: Shown | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

/** A description by persons who cannot see the application. To them it is an application of its own. */
export interface Shown {
  readonly strategies: readonly string[];
  readonly description: string | null;
  readonly url: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  /** When it was first described, in milliseconds UTC. */
  readonly since: number;
}

/** The fields of an application that a person can set. */
export interface Description {
  readonly strategies?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly color?: string | undefined;
  readonly icon?: string | undefined;
}

/** An instance without a report for this time is not counted: a restarted instance has a new id. */
export const instanceMs = 24 * 60 * 60 * 1000;
