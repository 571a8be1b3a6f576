/** A person's decision that automation must not change a flag in an environment for a time. */
export interface Override {
  readonly id: number;
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  readonly reason: string;
  /** Milliseconds UTC; null for an override that lasts until it is ended. */
  readonly endsAt: number | null;
  readonly placedBy: { readonly id: number; readonly name: string };
  readonly placedAt: number;
}

/** A flag in an environment. */
export interface Place {
  readonly featureName: string;
  readonly environment: string;
}
