import { isDeepStrictEqual } from 'node:util';

/** Returns whether two values are equal as JSON; undefined keys count as absent. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || isDeepStrictEqual(asJson(one), asJson(other));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
