type Entry<T> = readonly [path: string, value: T];

/** Walks through a payload, telling of each value and each array by the path that it stands at. */
function walk(payload: unknown, onValue: (entry: Entry<unknown>) => void, onArray: (entry: Entry<unknown[]>) => void) {
  const visit = (value: unknown, path: string) => {
    if (Array.isArray(value)) {
      if (path !== '') onArray([path, value]);
      for (const [index, element] of value.entries()) visit(element, `${path}[${index}]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) visit(member, path === '' ? key : `${path}.${key}`);
    } else if (path !== '') onValue([path, value]);
  };
  visit(payload, '');
}

/**
 * The values of a payload by the path that a filter names them by: `alert.labels[0].name` (docs/spec#action-filters).
 * Empty objects and arrays have none.
 */
export function payloadPaths(payload: unknown): readonly Entry<unknown>[] {
  const found: Entry<unknown>[] = [];
  walk(
    payload,
    (entry) => found.push(entry),
    () => undefined,
  );
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1));
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

/** Most paths that are suggested. */
const mostNamed = 1000;

/** What filters and templates may name, by the payloads of signals: what the first has, then what only a later one has. */
export function namedPaths(payloads: readonly unknown[], forEach: string): readonly string[] {
  return [...new Set(payloads.flatMap((payload) => pathsToName(payload, forEach)))].slice(0, mostNamed);
}

/** The paths of the arrays of any of the payloads that a set may run for each element of. */
export function arrayPaths(payloads: readonly unknown[]): readonly string[] {
  return [...new Set(payloads.flatMap(arrayPathsOf))].slice(0, mostNamed);
}

/** What one payload has to name: with an array to go through, `item.…` of each of its elements first. */
function pathsToName(payload: unknown, forEach: string): readonly string[] {
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
