import type { FlagEnvironment } from './flag-queries.ts';

export type Hold = NonNullable<FlagEnvironment['lease']>;

/** Returns the effect of a hold: "held off", "held at 20 %". */
export function heldAs({ effect, rollout }: Pick<Hold, 'effect' | 'rollout'>): string {
  return effect === 'rollout' ? `held at ${rollout ?? 0} %` : `held ${effect}`;
}
