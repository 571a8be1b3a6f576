import type { Held } from './now-queries.ts';

type Effect = Pick<Held, 'effect' | 'rollout'> & Partial<Pick<Held, 'milestone'>>;

/** Returns the effect of a hold in words: "off", "at 20 %", "on", "at the milestone Staff". */
export function effectOf({ effect, rollout, milestone }: Effect): string {
  if (effect === 'milestone')
    return milestone == null ? 'at an earlier milestone' : `at the milestone ${milestone.name}`;
  return effect === 'rollout' ? `at ${rollout ?? 0} %` : effect;
}

/** Returns the state of a flag once a hold is released: "on, as configured" or "still held off, by Eve". */
export function afterReleaseOf({ afterRelease, configuredOn, inForce }: Held): string {
  if (!inForce) return 'no change: another hold is in force';
  if (afterRelease === null) return `${configuredOn ? 'on' : 'off'}, as configured`;
  return `still held ${effectOf(afterRelease)}, by ${afterRelease.name}`;
}

/**
 * Returns how a hold ends: at its time, kept from then on, over (it stays while automation is stopped), or by a person.
 * A hold that is kept past its time has no end to name.
 */
export function endOfHold(
  { expiresAt, onExpiry }: Pick<Held, 'expiresAt' | 'onExpiry'>,
  now: number,
): 'at its time' | 'then kept' | 'over' | 'by a person' {
  if (expiresAt === null) return 'by a person';
  const at = Date.parse(expiresAt);
  if (onExpiry === 'keep') return at <= now ? 'by a person' : 'then kept';
  // A hold ends within seconds of its time, unless a person stops automation.
  return at < now - 60_000 ? 'over' : 'at its time';
}
