import { badField } from './errors.ts';

/**
 * Rejects with 400 when an end that a caller sets has passed already; the thing would end unnoticed. `before` is the
 * stored end, which may have passed when it is sent again with other changes.
 */
export function requireFuture(
  field: string,
  end: number | null | undefined,
  now: number,
  before?: number | null,
): void {
  if (end !== null && end !== undefined && end !== before && end <= now) throw badField(field, 'must be in the future');
}
