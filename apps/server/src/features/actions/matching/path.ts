/**
 * Where something stands in a payload (docs/spec#action-filters): keys joined by dots, `[2]` for an element of an
 * array, such as `alerts[0].labels.severity`. A key that holds a dot itself is found as well.
 */
const pattern = /^[^.[\]]+(\[\d{1,6}\])?(\.[^.[\]]+(\[\d{1,6}\])?)*$/;
const mostSteps = 64;

/** What is wrong with the text of a path; undefined when nothing is. */
export function pathProblem(path: string): string | undefined {
  if (!pattern.test(path)) return 'must be a path such as alerts[0].labels.severity';
  return path.split('.').length > mostSteps ? `must have at most ${mostSteps} steps` : undefined;
}

/** Something found in a payload. */
export interface Found {
  readonly value: unknown;
}

/**
 * What stands at a path; undefined when nothing does. It looks for this path alone: all paths of a payload together may be
 * many times its size.
 */
export function findAt(payload: unknown, path: string): Found | undefined {
  if (path === '') return { value: payload };
  if (typeof payload !== 'object' || payload === null) return undefined;
  for (let end = 1; end <= path.length; end++) {
    const next = path[end];
    if (next !== undefined && next !== '.' && next !== '[') continue;
    const found = findBehind(payload, path.slice(0, end), path.slice(end));
    if (found !== undefined) return found;
  }
  return undefined;
}

const elementIn = /^\[(\d+)\]\.?/;

function findBehind(object: object, key: string, rest: string): Found | undefined {
  if (!Object.hasOwn(object, key)) return undefined;
  const value = (object as Readonly<Record<string, unknown>>)[key];
  if (rest === '') return { value };
  if (rest.startsWith('.')) return findAt(value, rest.slice(1));
  const [text, index] = elementIn.exec(rest) ?? [];
  if (text === undefined || !Array.isArray(value) || Number(index) >= value.length) return undefined;
  return findAt(value[Number(index)], rest.slice(text.length));
}

/** The text of what stands at a path; undefined when there is nothing, null, an object or an array: those have none. */
export function textAt(payload: unknown, path: string): string | undefined {
  const value = findAt(payload, path)?.value;
  return value === null || value === undefined || typeof value === 'object' ? undefined : String(value);
}
