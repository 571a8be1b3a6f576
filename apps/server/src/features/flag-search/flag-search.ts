/** Which flags are searched for: those for which all that is given holds. */
export interface FlagSearch {
  readonly archived: boolean;
  /** Stands somewhere in the name, the description or a tag; upper and lower case alike. */
  readonly words?: string | undefined;
  readonly project?: OneOf | undefined;
  /** Projects whose flags are not found. */
  readonly notIn?: readonly string[] | undefined;
  readonly type?: OneOf | undefined;
  readonly state?: OneOf | undefined;
  /** Stages of life. */
  readonly lifecycle?: OneOf | undefined;
  readonly createdBy?: OneOf | undefined;
  readonly tag?: SetOf | undefined;
  /** Names of segments that its strategies use. */
  readonly segment?: SetOf | undefined;
  readonly createdAt?: Since | undefined;
  readonly lastSeenAt?: Since | undefined;
  /** One of them is enough. */
  readonly status?: readonly Status[] | undefined;
}

/** What a field that has one value must be, or must not be. */
export interface OneOf {
  readonly operator: 'IS' | 'IS_NOT' | 'IS_ANY_OF' | 'IS_NONE_OF';
  readonly values: readonly string[];
}

/** What a field that has several values must hold, or must not hold. */
export interface SetOf {
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
export interface Since {
  readonly operator: 'IS_BEFORE' | 'IS_ON_OR_AFTER';
  readonly at: number;
}

export interface Status {
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
