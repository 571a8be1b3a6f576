import { findAt } from '#kernel/payload-path.ts';

/** The maximum number of elements that an endpoint can allow, because each run is a change of its own. */
export const mostElements = 1000;

/** The payload that filters and templates read: whole, or with an element of its array as `item`. */
export interface PayloadView {
  /** The index of the element; null for the whole payload. */
  readonly element: number | null;
  /** The path of the array of the element; null for the whole payload. */
  readonly forEach: string | null;
  readonly payload: unknown;
}

/** Returns whether a payload has the array at `forEach`; true without `forEach`. */
export function hasArray(payload: unknown, forEach: string | null): boolean {
  return forEach === null || Array.isArray(findAt(payload, forEach)?.value);
}

/**
 * Returns the views of a payload: one per element of the array at `forEach` (none when there is no array), or the
 * payload itself without `forEach`.
 */
export function payloadViews(payload: unknown, forEach: string | null): PayloadView[] {
  if (forEach === null) return [{ element: null, forEach, payload }];
  const elements = findAt(payload, forEach)?.value;
  if (!Array.isArray(elements)) return [];
  const outer = typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : {};
  return elements.map((item, element) => ({ element, forEach, payload: { ...outer, item } }));
}
