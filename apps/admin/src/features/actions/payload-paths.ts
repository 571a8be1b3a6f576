import { LongNumber } from '@yardarm/contract/long-number';

type Entry<T> = readonly [path: string, value: T];

/**
 * Calls `onValue` for each scalar or null and `onArray` for each array inside a payload, with the path. Skips the
 * payload itself, which has no path.
 */
function walk(payload: unknown, onValue: (entry: Entry<unknown>) => void, onArray: (entry: Entry<unknown[]>) => void) {
  const visit = (value: unknown, path: string) => {
    if (Array.isArray(value)) {
      if (path !== '') onArray([path, value]);
      for (const [index, element] of value.entries()) visit(element, `${path}[${index}]`);
    } else if (typeof value === 'object' && value !== null && !(value instanceof LongNumber)) {
      for (const [key, member] of Object.entries(value)) visit(member, path === '' ? key : `${path}.${key}`);
    } else if (path !== '') onValue([path, value]);
  };
  visit(payload, '');
}

/**
 * Returns the values of a payload, each with its path in filters: `alert.labels[0].name` (docs/spec#action-filters).
 * Empty objects and arrays have no values.
 */
export function payloadPaths(payload: unknown): readonly Entry<unknown>[] {
  const found: Entry<unknown>[] = [];
  walk(
    payload,
    (entry) => found.push(entry),
    () => undefined,
  );
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function arrayPathsOf(payload: unknown): readonly string[] {
  const found: string[] = [];
  walk(
    payload,
    () => undefined,
    ([path]) => found.push(path),
  );
  return found.toSorted();
}

/** The maximum number of suggested paths. */
const maxPaths = 1000;

/**
 * Returns the paths that filters and templates may use: those of the first payload, then those found only in later
 * ones.
 */
export function namedPaths(payloads: readonly unknown[], forEach: string): readonly string[] {
  return [...new Set(payloads.flatMap((payload) => pathsOf(payload, forEach)))].slice(0, maxPaths);
}

/** Returns the paths of the arrays in any of the payloads, as choices for `forEach`. */
export function arrayPaths(payloads: readonly unknown[]): readonly string[] {
  return [...new Set(payloads.flatMap(arrayPathsOf))].slice(0, maxPaths);
}

/** Returns the paths of a payload; with `forEach`, the `item.…` paths of its elements come first. */
function pathsOf(payload: unknown, forEach: string): readonly string[] {
  const all = payloadPaths(payload).map(([path]) => path);
  if (forEach === '') return all;
  const items = new Set<string>();
  walk(
    payload,
    () => undefined,
    ([path, elements]) => {
      if (path !== forEach) return;
      for (const item of elements) for (const [inside] of payloadPaths({ item })) items.add(inside);
    },
  );
  return [...[...items].toSorted(), ...all.filter((path) => !path.startsWith(`${forEach}[`))];
}
