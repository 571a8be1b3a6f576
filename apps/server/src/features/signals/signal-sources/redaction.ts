import { createHmac } from 'node:crypto';

/** The values of a payload that must not be stored. */
export interface Redaction {
  /** The paths whose values are removed. */
  readonly dropped: readonly string[];
  /** The paths whose values are replaced by keyed hashes. */
  readonly hashed: readonly string[];
  readonly hashKey: string;
}

/**
 * Removes and hashes values in a parsed payload. A path consists of keys joined by dots, and a key may contain a dot. A
 * path applies to each element of an array.
 */
export function redact(payload: unknown, { dropped, hashed, hashKey }: Redaction): void {
  for (const path of dropped) editAt(payload, path, (object, key) => void delete object[key]);
  for (const path of hashed) {
    editAt(payload, path, (object, key) => {
      // An assignment to the key __proto__ would not replace the value.
      Object.defineProperty(object, key, { value: hashOf(object[key], hashKey) });
    });
  }
}

type Edit = (object: Record<string, unknown>, key: string) => void;

function editAt(value: unknown, path: string, edit: Edit): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) editAt(item, path, edit);
    return;
  }
  const object = value as Record<string, unknown>;
  // Follow every key that the path may begin with, `a` as well as `a.b`: the value must not remain under any of them.
  for (let end = 1; end <= path.length; end++) {
    if (end < path.length && path[end] !== '.') continue;
    const key = path.slice(0, end);
    if (!Object.hasOwn(object, key)) continue;
    if (end === path.length) edit(object, key);
    else editAt(object[key], path.slice(end + 1), edit);
  }
}

/**
 * Returns the HMAC-SHA-256 of a value: of a text itself, or else of the JSON. Hashes the elements of an array one by
 * one, so that they can be compared. Returns null for null.
 */
function hashOf(value: unknown, key: string): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => hashOf(item, key));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}
