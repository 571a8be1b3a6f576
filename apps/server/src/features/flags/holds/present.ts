import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts';
import type { Lease } from './hold.ts';

/** A lease as people see it, and as the event log keeps it. */
export function presentLease({ id, effect, rollout, holder, reason, placedAt, expiresAt }: Lease) {
  return {
    id,
    effect,
    rollout,
    heldBy: { ...holder },
    reason,
    placedAt: isoTime(placedAt),
    expiresAt: isoTimeOrNull(expiresAt),
  };
}
