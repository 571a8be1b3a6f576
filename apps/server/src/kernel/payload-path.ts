/**
 * The syntax of a payload path (docs/spec#action-filters): keys joined by dots, with `[2]` for an array element, such
 * as `alerts[0].labels.severity`. {@link findAt} also finds keys that contain dots: `a.b` finds the key "a.b" too.
 */
const pattern = /^[^.[\]]+(\[\d{1,6}\])?(\.[^.[\]]+(\[\d{1,6}\])?)*$/;
const maxSteps = 64;

/** Returns an error text for an invalid path; undefined for a valid path. */
export function pathProblem(path: string): string | undefined {
  if (!pattern.test(path)) return 'must be a path such as alerts[0].labels.severity';
  return path.split('.').length > maxSteps ? `must have at most ${maxSteps} steps` : undefined;
}

/** A value found in a payload. */
export interface Found {
  readonly value: unknown;
}

/**
 * Returns the value at a path, or undefined. Walks along this path only, because a list of all paths of a payload may
 * be many times as large as the payload.
 */
export function findAt(payload: unknown, path: string): Found | undefined {
  if (path === '') return { value: payload };
  if (typeof payload !== 'object' || payload === null) return undefined;
  for (let end = 1; end <= path.length; end++) {
    const next = path[end];
    if (next !== undefined && next !== '.' && next !== '[') continue;
    const found = findBelowKey(payload, path.slice(0, end), path.slice(end));
    if (found !== undefined) return found;
  }
  return undefined;
}

const elementIndex = /^\[(\d+)\]\.?/;

function findBelowKey(object: object, key: string, rest: string): Found | undefined {
  if (!Object.hasOwn(object, key)) return undefined;
  const value = (object as Readonly<Record<string, unknown>>)[key];
  if (rest === '') return { value };
  if (rest.startsWith('.')) return findAt(value, rest.slice(1));
  const [text, index] = elementIndex.exec(rest) ?? [];
  if (text === undefined || !Array.isArray(value) || Number(index) >= value.length) return undefined;
  return findAt(value[Number(index)], rest.slice(text.length));
}

/** Returns the value at a path as text; undefined when it is missing, null, an object or an array. */
export function textAt(payload: unknown, path: string): string | undefined {
  const value = findAt(payload, path)?.value;
  // A number with more digits than a double is an object (the LongNumber of the contract), whose text is its digits.
  const isText = typeof value !== 'object' || value instanceof Number;
  return value === null || value === undefined || !isText ? undefined : String(value);
}
