/**
 * The values of a payload by the path that a filter names them by: `alert.labels[0].name` (unleash-facts 2.2). Empty objects
 * and arrays have none.
 */
export function payloadPaths(payload: unknown): readonly (readonly [path: string, value: unknown])[] {
  const found: (readonly [string, unknown])[] = [];
  const walk = (value: unknown, path: string) => {
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) walk(element, `${path}[${index}]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) walk(member, path === '' ? key : `${path}.${key}`);
    } else if (path !== '') found.push([path, value]);
  };
  walk(payload, '');
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
