/** The filters of a search. A flag must match all of them. */
export interface FlagSearch {
  readonly archived: boolean;
  /** Text that the name, the description or a tag contains, ignoring case. */
  readonly words?: string | undefined;
  readonly project?: ValueFilter | undefined;
  /** Projects whose flags are left out. */
  readonly notIn?: readonly string[] | undefined;
  readonly type?: ValueFilter | undefined;
  readonly state?: ValueFilter | undefined;
  /** Lifecycle stages. */
  readonly lifecycle?: ValueFilter | undefined;
  readonly createdBy?: ValueFilter | undefined;
  readonly tag?: SetFilter | undefined;
  /** Names of segments that the flag's strategies use. */
  readonly segment?: SetFilter | undefined;
  readonly createdAt?: DateFilter | undefined;
  readonly lastSeenAt?: DateFilter | undefined;
  /** Whether the flag is held in any environment. */
  readonly held?: boolean | undefined;
  /** A flag matches when any of the states matches. */
  readonly status?: readonly EnvironmentFilter[] | undefined;
}

/** A filter on a field with a single value. */
export interface ValueFilter {
  readonly operator: 'IS' | 'IS_NOT' | 'IS_ANY_OF' | 'IS_NONE_OF';
  readonly values: readonly string[];
}

/** A filter on a field with several values, such as tags. */
export interface SetFilter {
  readonly operator:
    | 'INCLUDE'
    | 'DO_NOT_INCLUDE'
    | 'INCLUDE_ALL_OF'
    | 'INCLUDE_ANY_OF'
    | 'EXCLUDE_IF_ANY_OF'
    | 'EXCLUDE_ALL';
  readonly values: readonly string[];
}

/** A filter on a time; milliseconds UTC. */
export interface DateFilter {
  readonly operator: 'IS_BEFORE' | 'IS_ON_OR_AFTER';
  readonly at: number;
}

export interface EnvironmentFilter {
  readonly environment: string;
  readonly enabled: boolean;
}

/** The order of the results. Flags with equal keys are ordered by name. */
export interface FlagOrder {
  /** A field of a flag, or `environment:<name>` for the state in that environment. */
  readonly key: string;
  readonly descending: boolean;
  /** The user whose favorites come first. */
  readonly favoritesOf?: number | undefined;
}
