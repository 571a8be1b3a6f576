import { isDeepStrictEqual } from 'node:util';

/** Returns whether two values are equal as JSON; undefined keys count as absent. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b) || isDeepStrictEqual(asJson(a), asJson(b));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
