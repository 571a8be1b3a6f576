import type { RecognisedFields } from '@yardarm/contract';

/**
 * Returns whether a report that an alert fires is older than the end of the alert: it names an earlier occurrence, or
 * the one that has ended. An equal time that is no start can be that of an incident which was reopened at once.
 */
export function isBeforeEnd(
  { occurredAt, startedAt }: Pick<RecognisedFields, 'occurredAt' | 'startedAt'>,
  end: string,
) {
  if (occurredAt == null) return false;
  return occurredAt < end || (occurredAt === end && occurredAt === startedAt);
}
