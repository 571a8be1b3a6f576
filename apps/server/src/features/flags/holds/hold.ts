/** The part of a hold that determines the effective state of a flag in an environment. */
export interface HoldEffect {
  readonly id: number;
  readonly effect: 'off' | 'rollout' | 'on';
  /** A whole percentage where the effect is `rollout`; null for the others. */
  readonly rollout: number | null;
  /** True when the hold turns the flag on for everyone while the flag has no active strategy. */
  readonly forEveryone: boolean;
}

/** A temporary state of a flag in an environment that overrides the configured state. */
export interface Hold extends HoldEffect {
  readonly featureName: string;
  readonly environment: string;
  readonly holder: Holder;
  readonly reason: string | null;
  /** Milliseconds UTC. */
  readonly placedAt: number;
  /** Milliseconds UTC; null when the hold lasts until it is released. */
  readonly expiresAt: number | null;
  /** `keep`: the hold stays after `expiresAt` until its alert ends or a person releases it. */
  readonly onExpiry: 'release' | 'keep';
  /** The latest run that asked for the hold. Null for people, and for holds of older versions, which stored no set. */
  readonly renewedByRunId: number | null;
}

/**
 * The run or person that placed a hold. A holder has one hold on a flag in an environment: a person is identified by
 * the key, a run by the key and the set.
 */
export interface Holder {
  readonly kind: 'run' | 'person';
  readonly key: string;
  readonly runId: number | null;
  /** Null for people, and for holds of older versions, which stored no set. */
  readonly actionSetId: number | null;
  readonly userId: number;
  readonly name: string;
}

/**
 * Returns the hold in force of several on a flag in an environment. Off beats any percentage, a lower percentage beats
 * a higher one, and any percentage beats on. Between equal effects a hold `forEveryone` wins, then the older hold.
 */
export function inForce<H extends HoldEffect>(holds: readonly H[]): H | undefined {
  return holds.toSorted((a, b) => rank(a) - rank(b) || Number(b.forEveryone) - Number(a.forEveryone) || a.id - b.id)[0];
}

/** Returns -1 for off, the percentage for a rollout, and 101 for on. */
function rank({ effect, rollout }: HoldEffect): number {
  if (effect === 'off') return -1;
  return effect === 'on' ? 101 : (rollout ?? 0);
}
