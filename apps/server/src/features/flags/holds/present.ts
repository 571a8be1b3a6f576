import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts';
import type { Hold } from './hold.ts';

/** Returns a hold as the API answers it and as the event log stores it. */
export function presentHold({ id, effect, rollout, holder, reason, placedAt, expiresAt, onExpiry }: Hold) {
  return {
    id,
    effect,
    rollout,
    heldBy: { ...holder },
    reason,
    placedAt: isoTime(placedAt),
    expiresAt: isoTimeOrNull(expiresAt),
    onExpiry,
  };
}
