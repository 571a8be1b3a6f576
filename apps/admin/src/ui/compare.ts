/** What became of one part of a value. */
export interface Difference {
  /** The field, or what tells an element of a list from the others. */
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed' | 'within';
  /** Before and after; of a part that was added only the latter, and the other way round. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** What became of the parts of this part, when that is `within`. */
  readonly parts?: readonly Difference[];
}

/**
 * What is different between two JSON values, part by part; nothing for parts that are alike. Elements of lists are told apart
 * by their id or name, where each of them has one, and otherwise by what they are, so that one that was put in before
 * others leaves those alone.
 */
export function compare(before: unknown, after: unknown): readonly Difference[] {
  const [was, is] = [partsOf(before), partsOf(after)];
  if (was === undefined || is === undefined || was.list !== is.list) return one('', before, after);
  const names = [...new Set([...was.parts.keys(), ...is.parts.keys()])];
  return names.flatMap((name) => {
    if (!is.parts.has(name)) return [{ name, kind: 'removed' as const, before: was.parts.get(name) }];
    if (!was.parts.has(name)) return [{ name, kind: 'added' as const, after: is.parts.get(name) }];
    return one(name, was.parts.get(name), is.parts.get(name));
  });
}

/** A value that came to be or is gone, by its fields as if there had been none before. */
export function compareWithNothing(value: unknown, kind: 'added' | 'removed'): readonly Difference[] {
  const parts = partsOf(value)?.parts ?? new Map([['', value]]);
  return [...parts].map(([name, part]) => ({ name, kind, ...(kind === 'added' ? { after: part } : { before: part }) }));
}

function one(name: string, before: unknown, after: unknown): readonly Difference[] {
  if (sameText(before, after)) return [];
  const nested = partsOf(before) !== undefined && partsOf(after) !== undefined;
  if (!nested || Array.isArray(before) !== Array.isArray(after)) return [{ name, kind: 'changed', before, after }];
  const parts = compare(before, after);
  // Alike but for the order.
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
