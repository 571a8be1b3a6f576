/** What a lease makes of a flag in an environment, whatever is configured there. */
export interface Hold {
  readonly id: number;
  readonly effect: 'off' | 'rollout' | 'on';
  /** A whole percentage where the effect is `rollout`; null for the others. */
  readonly rollout: number | null;
  /** Whether everybody is meant while there is no active strategy. */
  readonly forEveryone: boolean;
}

/** A hold with who has it, as people see it. */
export interface Lease extends Hold {
  readonly featureName: string;
  readonly environment: string;
  readonly holder: Holder;
  readonly reason: string | null;
  /** Milliseconds UTC. */
  readonly placedAt: number;
  /** Milliseconds UTC; null when it is held until it is released. */
  readonly expiresAt: number | null;
}

/** Who holds: one holder has one lease on a flag in an environment, known by its key. */
export interface Holder {
  readonly kind: 'run' | 'person';
  readonly key: string;
  readonly runId: number | null;
  readonly userId: number;
  readonly name: string;
}

/**
 * Which of several leases is in force: off beats a percentage, a lower percentage a higher one, any percentage on; of
 * two alike the one that means everybody, then the older one.
 */
export function inForce<L extends Hold>(leases: readonly L[]): L | undefined {
  return leases.toSorted(
    (a, b) => rank(a) - rank(b) || Number(b.forEveryone) - Number(a.forEveryone) || a.id - b.id,
  )[0];
}

/** From -1 for off over percentages to 101 for on. */
function rank({ effect, rollout }: Hold): number {
  if (effect === 'off') return -1;
  return effect === 'on' ? 101 : (rollout ?? 0);
}
