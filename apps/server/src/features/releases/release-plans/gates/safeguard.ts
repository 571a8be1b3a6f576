import { type Comparison, describeValue, isBeyond, nameOfQuery, type RecentQuery } from '@yardarm/contract';
import type { LookedAt } from './gates.ts';

/**
 * Returns the gate that each safeguard of a plan is: closed until the safeguard has had a value, taken since the active
 * milestone started, that does not cross its threshold. Without a value, the effect of the milestone is not known, so
 * the next one does not start.
 */
export function safeguardGate(
  query: RecentQuery,
  condition: Comparison,
  { value, reason }: { readonly value?: number | undefined; readonly reason?: string | null | undefined },
): LookedAt {
  const gate = 'safeguard';
  if (value === undefined) {
    const why = reason == null ? '' : `: ${reason.replace(/\.$/, '')}`;
    return { gate, isOpen: false, text: `Waits for a first value of ${nameOfQuery(query)}${why}` };
  }
  return { gate, isOpen: !isBeyond(condition, value), text: `Safeguard: ${describeValue(query, condition, value)}` };
}
