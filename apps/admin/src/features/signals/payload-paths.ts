import { LongNumber } from '@yardarm/contract/long-number';

/** A place in a payload, by the path that fields of an endpoint use for it. */
export interface PayloadPath {
  readonly path: string;
  /** The value as text, cut to 60 characters. For an array, the number of its elements. */
  readonly sample: string;
  readonly isList: boolean;
}

const maxPaths = 200;
const maxDepth = 8;
const maxSample = 60;

/**
 * Lists the places of a payload, at most 200. Of an array it lists the array itself and the places in its first
 * element.
 */
export function pathsOf(payload: unknown): PayloadPath[] {
  const found: PayloadPath[] = [];
  collect(payload, '', 0, found);
  return found;
}

/** Lists the places within the first element of the array at `path`. */
export function pathsWithin(payload: unknown, path: string): PayloadPath[] {
  const start = `${path}[0].`;
  return pathsOf(payload)
    .filter((place) => place.path.startsWith(start))
    .map((place) => ({ ...place, path: place.path.slice(start.length) }));
}

function collect(value: unknown, path: string, depth: number, found: PayloadPath[]): void {
  if (found.length >= maxPaths || depth > maxDepth) return;
  if (typeof value !== 'object' || value === null || value instanceof LongNumber) {
    if (path !== '' && value !== null) found.push({ path, sample: cut(String(value)), isList: false });
    return;
  }
  if (Array.isArray(value)) {
    if (path === '') return;
    found.push({ path, sample: value.length === 1 ? '1 element' : `${value.length} elements`, isList: true });
    if (value.length > 0) collect(value[0], `${path}[0]`, depth + 1, found);
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    // Skips keys that a path cannot contain: empty keys, and keys with brackets.
    if (key !== '' && !/[[\]]/.test(key)) collect(part, path === '' ? key : `${path}.${key}`, depth + 1, found);
  }
}

function cut(text: string): string {
  return text.length <= maxSample ? text : `${text.slice(0, maxSample - 1)}…`;
}
