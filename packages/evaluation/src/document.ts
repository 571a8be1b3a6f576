/** The members of the answer to `GET /api/client/features` that evaluation uses (docs/spec#sdk-flags). */
export interface ClientDocument {
  readonly features: readonly Feature[];
  readonly segments?: readonly Segment[];
}

export interface Feature {
  readonly name: string;
  /** Whether the flag is enabled in the environment; strategies decide for which contexts it is on. */
  readonly enabled: boolean;
  readonly impressionData?: boolean | undefined;
  readonly strategies?: readonly Strategy[] | undefined;
  readonly variants?: readonly VariantDefinition[] | null | undefined;
  readonly dependencies?: readonly Dependency[] | undefined;
}

export interface Strategy {
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string>> | null | undefined;
  readonly constraints?: readonly Constraint[] | null | undefined;
  /** Ids of segments. */
  readonly segments?: readonly number[] | null | undefined;
  readonly variants?: readonly VariantDefinition[] | null | undefined;
}

export interface Constraint {
  readonly contextName: string;
  readonly operator: string;
  readonly values?: readonly string[] | null | undefined;
  readonly value?: string | null | undefined;
  readonly inverted?: boolean | undefined;
  readonly caseInsensitive?: boolean | undefined;
  /**
   * Whether numbers of contexts are read as by versions before ADR 98: blank text as 0, hexadecimal digits and infinity
   * as numbers. Yardarm marks constraints that were stored before.
   */
  readonly looseNumber?: boolean | undefined;
}

export interface Segment {
  readonly id: number;
  readonly name?: string | undefined;
  readonly constraints?: readonly Constraint[] | undefined;
}

export interface VariantDefinition {
  readonly name: string;
  /** The weight of the variant. Its share is the weight divided by the sum of all weights. */
  readonly weight: number;
  readonly stickiness?: string | undefined;
  readonly payload?: Payload | undefined;
  readonly overrides?: readonly Override[] | undefined;
}

export interface Payload {
  readonly type: string;
  readonly value: string;
}

/** Contexts that always get a variant, regardless of the hash. */
export interface Override {
  readonly contextName: string;
  readonly values: readonly string[];
}

/** The required state of a parent flag. */
export interface Dependency {
  readonly feature: string;
  readonly enabled?: boolean | undefined;
  readonly variants?: readonly string[] | undefined;
}
