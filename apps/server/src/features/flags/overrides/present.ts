import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { Override } from './override.ts';

export function presentOverride({ endsAt, placedAt, ...override }: Override) {
  return { ...override, endsAt: isoTimeOrNull(endsAt), placedAt: isoTime(placedAt) };
}

/** Presents an override for events, which have flag, project and environment of their own. */
export function overrideEventData({ reason, endsAt, placedBy, placedAt }: Override) {
  return { reason, endsAt: isoTimeOrNull(endsAt), placedBy, placedAt: isoTime(placedAt) };
}
