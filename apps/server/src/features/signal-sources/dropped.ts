/**
 * Removes the values at `paths` from a parsed payload. A path is keys joined by dots, and a key may contain a dot; it
 * goes into each element of an array.
 */
export function dropPaths(payload: unknown, paths: readonly string[]): void {
  for (const path of paths) dropAt(payload, path);
}

function dropAt(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) dropAt(item, path);
    return;
  }
  const object = value as Record<string, unknown>;
  // Follows both `a` and `a.b`: a dropped value must not stay in another reading of the path.
  for (let end = 1; end <= path.length; end++) {
    if (end < path.length && path[end] !== '.') continue;
    const key = path.slice(0, end);
    if (!Object.hasOwn(object, key)) continue;
    if (end === path.length) delete object[key];
    else dropAt(object[key], path.slice(end + 1));
  }
}
