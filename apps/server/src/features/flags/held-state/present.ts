import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { Hold } from './hold.ts';

/** Returns a hold as the API answers it and as the event log stores it. */
export function presentHold(hold: Hold) {
  const { id, effect, rollout, milestone, holder, reason, placedAt, expiresAt, onExpiry, stepsDownAt } = hold;
  return {
    id,
    effect,
    rollout,
    milestone: milestone && { id: milestone.id, name: milestone.name },
    heldBy: { ...holder },
    reason,
    placedAt: isoTime(placedAt),
    expiresAt: isoTimeOrNull(expiresAt),
    onExpiry,
    ...(stepsDownAt === null ? {} : { stepsDownAt: isoTime(stepsDownAt) }),
  };
}
