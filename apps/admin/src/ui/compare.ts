/** A difference in one part of a value. */
export interface Difference {
  /** The name of the field. For a list element: its id, its name or its place. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'within';
  /** An added part has only `after`, a removed part only `before`. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** The differing parts of this part, when `kind` is `within`. */
  readonly parts?: readonly Difference[];
}

/**
 * Returns the differences between two JSON values, part by part. List elements are matched by id or name where all have
 * one, and otherwise by value, so that an inserted element does not make the elements after it differ.
 */
export function compare(before: unknown, after: unknown): readonly Difference[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  if (was === undefined || is === undefined || was.list !== is.list) return compareParts('', before, after);
  const names = [...new Set([...was.parts.keys(), ...is.parts.keys()])];
  return names.flatMap((name) => {
    if (!is.parts.has(name)) return [{ name, kind: 'removed' as const, before: was.parts.get(name) }];
    if (!was.parts.has(name)) return [{ name, kind: 'added' as const, after: is.parts.get(name) }];
    return compareParts(name, was.parts.get(name), is.parts.get(name));
  });
}

/** Returns every field of an added or removed value as a difference. */
export function compareWithNothing(value: unknown, kind: 'added' | 'removed'): readonly Difference[] {
  const parts = partsOf(value)?.parts ?? new Map([['', value]]);
  return [...parts].map(([name, part]) => ({ name, kind, ...(kind === 'added' ? { after: part } : { before: part }) }));
}

function compareParts(name: string, before: unknown, after: unknown): readonly Difference[] {
  if (sameText(before, after)) return [];
  const nested = partsOf(before) !== undefined && partsOf(after) !== undefined;
  if (!nested || Array.isArray(before) !== Array.isArray(after)) return [{ name, kind: 'changed', before, after }];
  const parts = compare(before, after);
  // No part differs: two lists differ in their order only.
  if (parts.length === 0) return Array.isArray(before) ? [{ name, kind: 'changed', before, after }] : [];
  return [{ name, kind: 'within', parts }];
}

interface Parts {
  readonly list: boolean;
  readonly parts: ReadonlyMap<string, unknown>;
}

function partsOf(value: unknown): Parts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return { list: false, parts: new Map(Object.entries(value)) };
  const keys = value.map(keyOf);
  const distinct = new Set(keys).size === keys.length;
  return {
    list: true,
    parts: new Map(value.map((element, index) => [distinct ? keys[index] : `${index + 1}`, element])) as Map<
      string,
      unknown
    >,
  };
}

function keyOf(element: unknown): string {
  if (typeof element !== 'object' || element === null) return JSON.stringify(element);
  const fields = element as Readonly<Record<string, unknown>>;
  const named = ['id', 'name', 'contextName', 'projectId', 'url']
    .map((field) => fields[field])
    .find((key) => key !== undefined && key !== null);
  return named === undefined ? JSON.stringify(element) : String(named);
}

function sameText(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}
