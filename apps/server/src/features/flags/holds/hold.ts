import type { HeldAlert, HeldMilestone, Hold, Holder } from '#features/flags/held-state/index.ts';
import type { Actor } from '#kernel/actor.ts';

/** The holder of a requested hold: the run of an action set, a safeguard, or a person or script that chooses a key. */
export type RequestingHolder =
  | {
      readonly kind: 'run';
      readonly key: string;
      readonly runId: number;
      readonly actionSetId: number | null;
      /** The account that holds the flag; the author of the change when absent. */
      readonly account?: Actor;
    }
  | {
      readonly kind: 'safeguard';
      /** The id of the safeguard. */
      readonly key: string;
    }
  | { readonly kind: 'person'; readonly key: string };

/** The state that a requested hold puts a flag in. */
export type RequestedEffect =
  | { readonly effect: 'off' | 'on' }
  | {
      readonly effect: 'rollout';
      /** A whole percentage, 0 to 100. */
      readonly rollout: number;
    }
  | { readonly effect: 'milestone'; readonly milestone: HeldMilestone };

/** When a hold that follows a release plan goes further down and may end; see {@link Hold}. */
export interface Pace {
  readonly stepsDownAt: number | null;
  readonly restsUntil: number;
}

/** A request to place a hold, or to update the holder's hold on the same flag and environment. */
export type HoldRequest = RequestedEffect & {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  readonly holder: RequestingHolder;
  /** The alert for which a run asks. */
  readonly alert?: HeldAlert | null | undefined;
  /** The times of a hold that follows a release plan; without them the hold follows none. */
  readonly pace?: Pace | undefined;
  readonly reason?: string | null | undefined;
  /** Milliseconds UTC; absent or null for a hold without expiry. */
  readonly expiresAt?: number | null | undefined;
  /** `keep` keeps the hold after `expiresAt`; `release` when absent. */
  readonly onExpiry?: Hold['onExpiry'];
};

/** The natural key of a hold: flag, environment and holder. */
export interface HoldRef {
  readonly featureName: string;
  readonly environment: string;
  readonly holder: Pick<Holder, 'kind' | 'key'> & { readonly actionSetId?: number | null };
}

/** A hold in a list. */
export interface ListedHold extends Hold {
  readonly project: string;
  /** The name of the set of actions that holds the flag; null for people and for deleted sets. */
  readonly actionSetName: string | null;
  /** True for the hold that determines the flag's state, when the flag has several in the environment. */
  readonly inForce: boolean;
}

/** Returns whether a hold ends by itself once its milestone has rested, or earlier, because its cause is over. */
export function isResting({ expiresAt, onExpiry, restsUntil, stepsDownAt }: Hold): boolean {
  if (restsUntil === null || stepsDownAt !== null || expiresAt === null) return false;
  return onExpiry === 'release' && expiresAt <= restsUntil;
}
