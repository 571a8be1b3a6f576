import { isDeepStrictEqual } from 'node:util';

/** Whether two things are alike as JSON, where a key that is undefined is none. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || isDeepStrictEqual(asJson(one), asJson(other));
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
