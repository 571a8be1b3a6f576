/** Which flags are searched for: those for which all that is given matchesText. */
export interface FlagSearch {
  readonly archived: boolean;
  /** Stands somewhere in the name, the description or a tag; upper and lower case alike. */
  readonly words?: string | undefined;
  readonly project?: ValueFilter | undefined;
  /** Projects whose flags are not found. */
  readonly notIn?: readonly string[] | undefined;
  readonly type?: ValueFilter | undefined;
  readonly state?: ValueFilter | undefined;
  /** Stages of life. */
  readonly lifecycle?: ValueFilter | undefined;
  readonly createdBy?: ValueFilter | undefined;
  readonly tag?: SetFilter | undefined;
  /** Names of segments that its strategies use. */
  readonly segment?: SetFilter | undefined;
  readonly createdAt?: DateFilter | undefined;
  readonly lastSeenAt?: DateFilter | undefined;
  /** One of them is enough. */
  readonly status?: readonly EnvironmentFilter[] | undefined;
}

/** What a field that has one value must be, or must not be. */
export interface ValueFilter {
  readonly operator: 'IS' | 'IS_NOT' | 'IS_ANY_OF' | 'IS_NONE_OF';
  readonly values: readonly string[];
}

/** What a field that has several values must hold, or must not hold. */
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

/** Before the start of a day, or from then on; milliseconds UTC. */
export interface DateFilter {
  readonly operator: 'IS_BEFORE' | 'IS_ON_OR_AFTER';
  readonly at: number;
}

export interface EnvironmentFilter {
  readonly environment: string;
  readonly enabled: boolean;
}

/** In what order flags are found; those alike in it come by name. */
export interface FlagOrder {
  /** A field of a flag, or `environment:<name>` for whether it is on there. */
  readonly key: string;
  readonly descending: boolean;
  /** The user whose favorites come before all others. */
  readonly favoritesOf?: number | undefined;
}
