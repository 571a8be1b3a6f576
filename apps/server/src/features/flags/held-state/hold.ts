import type { holdEffects } from '@yardarm/contract';
import type { Strategy } from '#features/flags/strategies/index.ts';

/** A milestone of a release plan at which a flag is held: a copy, so that reading a flag needs no plan. */
export interface HeldMilestone {
  readonly id: string;
  readonly name: string;
  readonly strategies: readonly Omit<Strategy, 'featureName' | 'environment' | 'createdAt'>[];
  /** The ids of the strategies of all milestones. While the flag is held, it has none of them but `strategies`. */
  readonly replaces: readonly string[];
}

/** The part of a hold that determines the effective state of a flag in an environment. */
export interface HoldEffect {
  readonly id: number;
  readonly effect: (typeof holdEffects)[number];
  /** A whole percentage where the effect is `rollout` or `milestone`; null for the others. */
  readonly rollout: number | null;
  /** Null unless the effect is `milestone`. */
  readonly milestone: HeldMilestone | null;
  /** True when the hold turns the flag on for everyone while the flag has no active strategy. */
  readonly forEveryone: boolean;
}

/** The kinds of holders of flags. All but `person` are automation. */
export const holderKinds = ['run', 'safeguard', 'person'] as const;

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
  /** The alert that asked for the hold last. Null without one, and for holds of older versions. */
  readonly alert: HeldAlert | null;
  /** When automation holds the flag one milestone further down, in milliseconds UTC; null when it does not. */
  readonly stepsDownAt: number | null;
  /**
   * Before when automation does not end the hold, so that a milestone of a plan is not tried again at once; null for a
   * hold that follows no plan. Milliseconds UTC.
   */
  readonly restsUntil: number | null;
}

/** An alert for which automation holds a flag. */
export interface HeldAlert {
  /** The fingerprint of the alert, as a condition. */
  readonly condition: string;
  /** The time that orders the reports about the alert, in milliseconds UTC; null when its sender reports none. */
  readonly occurredAt: number | null;
}

/**
 * The run, safeguard or person that placed a hold. A holder has one hold on a flag in an environment: a run is
 * identified by the key and the set, the others by the key.
 */
export interface Holder {
  readonly kind: (typeof holderKinds)[number];
  readonly key: string;
  readonly runId: number | null;
  /** Null for people and safeguards, and for holds of older versions, which stored no set. */
  readonly actionSetId: number | null;
  readonly userId: number;
  readonly name: string;
}

/** Returns the highest percentage of a milestone. Lists of users, constraints and segments count as 0. */
export function shareOf(strategies: HeldMilestone['strategies']): number {
  const shares = strategies.flatMap(({ disabled, name, parameters, constraints, segments }) => {
    if (disabled || constraints.length > 0 || segments.length > 0) return [];
    const parameter = percentageParameters[name];
    if (parameter === undefined) return name === 'default' ? [100] : [];
    return Math.round(Number(parameters[parameter] ?? 0)) || 0;
  });
  return Math.max(0, ...shares);
}

/** The name of the parameter that contains the rollout percentage, by strategy name. */
export const percentageParameters: Readonly<Record<string, string>> = {
  flexibleRollout: 'rollout',
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
};

/** Returns the effect of a hold in words: `off`, `on`, `at 20 %`, `at the milestone Staff`. */
export function stateOf({ effect, rollout, milestone }: HoldState): string {
  if (effect === 'milestone')
    return milestone == null ? 'at an earlier milestone' : `at the milestone ${milestone.name}`;
  return effect === 'rollout' ? `at ${rollout} %` : effect;
}

interface HoldState extends Pick<HoldEffect, 'effect' | 'rollout'> {
  readonly milestone?: Pick<HeldMilestone, 'name'> | null | undefined;
}

/**
 * Returns the hold in force of several on a flag in an environment. Off beats any percentage, a lower percentage beats
 * a higher one, and any percentage beats on. A milestone counts by its percentage, see {@link shareOf}; an equal
 * percentage beats it, because constraints of a milestone count as 0 and can serve many users. Between equal effects a
 * hold `forEveryone` wins, then the older hold.
 */
export function inForce<H extends HoldEffect>(holds: readonly H[]): H | undefined {
  return holds.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      Number(a.effect === 'milestone') - Number(b.effect === 'milestone') ||
      Number(b.forEveryone) - Number(a.forEveryone) ||
      a.id - b.id,
  )[0];
}

/** Returns -1 for off, the percentage for a rollout or a milestone, and 101 for on. */
function rank({ effect, rollout }: HoldEffect): number {
  if (effect === 'off') return -1;
  return effect === 'on' ? 101 : (rollout ?? 0);
}
