import type { Holder, Lease } from '../flags/index.ts';

/** Who asks for a lease: the run of an action, or a person (or script), each by a key of its own choice. */
export type LeaseHolder =
  | { readonly kind: 'run'; readonly key: string; readonly runId: number }
  | { readonly kind: 'person'; readonly key: string };

/** What a lease makes of a flag. */
export type LeaseEffect =
  | { readonly effect: 'off' | 'on' }
  | {
      readonly effect: 'rollout';
      /** A whole percentage, 0 to 100. */
      readonly rollout: number;
    };

/** A lease that is asked for. */
export type WantedLease = LeaseEffect & {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  readonly holder: LeaseHolder;
  readonly reason?: string | null | undefined;
  /** Milliseconds UTC; absent or null to hold until it is released. */
  readonly expiresAt?: number | null | undefined;
};

/** Which lease: of a flag in an environment, by its holder. */
export interface LeaseRef {
  readonly featureName: string;
  readonly environment: string;
  readonly holder: Pick<Holder, 'kind' | 'key'>;
}

/** A lease in a list. */
export interface ListedLease extends Lease {
  readonly project: string;
  /** Whether it is the one of several that decides. */
  readonly inForce: boolean;
}
