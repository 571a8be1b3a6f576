import { findAt } from './path.ts';

/** Most elements of an array that a signal may have a set run for: each run is a change of its own. */
export const mostElements = 100;

/** A payload as filters and parameters see it: whole, or with one element of its array as `item`. */
export interface View {
  /** The place of the element; null for the whole payload. */
  readonly element: number | null;
  readonly payload: unknown;
}

/**
 * What a payload is looked at as. With `forEach` that is each element of that array, none when there is no array; without it
 * the payload itself.
 */
export function viewsOf(payload: unknown, forEach: string | null): View[] {
  if (forEach === null) return [{ element: null, payload }];
  const elements = findAt(payload, forEach)?.value;
  if (!Array.isArray(elements)) return [];
  const around = typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : {};
  return elements.map((item, element) => ({ element, payload: { ...around, item } }));
}
