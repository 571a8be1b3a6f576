/** What reports under one name. Times are milliseconds UTC. */
export interface Application {
  readonly appName: string;
  readonly strategies: readonly string[];
  readonly description: string | null;
  readonly url: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  /** Whether an SDK has registered under this name or a person has described it; else it has only been seen. */
  readonly announced: boolean;
  /** Whether a person has described it: it is then never forgotten. */
  readonly described: boolean;
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

/** What a person says of an application. */
export interface Description {
  readonly strategies?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly color?: string | undefined;
  readonly icon?: string | undefined;
}

/** An instance that has not been heard of for so long is not counted any more: its successor has another id. */
export const instanceMs = 24 * 60 * 60 * 1000;
