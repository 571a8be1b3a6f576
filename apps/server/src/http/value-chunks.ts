/** The keys that lead to a place in a value. */
type Path = readonly (string | number)[];
type Member = readonly [key: string | number, value: unknown];

/** A part of a value: the value at `path`, or further members of the array or object at `path`. */
export type ValueChunk =
  | { readonly path: Path; readonly value: unknown }
  | { readonly path: Path; readonly members: readonly Member[] };

/**
 * The highest weight of a chunk. Each value and each hundred characters of a text weigh 1. Copying a chunk of this
 * weight to another thread takes about a millisecond.
 */
const maxWeight = 2000;

/** Splits a JSON-like value into chunks. {@link addChunk} rebuilds the value with its members in the same order. */
export function* splitValue(value: unknown, path: Path = []): Generator<ValueChunk> {
  if (typeof value !== 'object' || value === null || weightOf(value) <= maxWeight) {
    yield { path, value };
    return;
  }
  yield { path, value: Array.isArray(value) ? [] : {} };
  let members: Member[] = [];
  let weight = 0;
  for (const [key, member] of Object.entries(value)) {
    const own = weightOf(member);
    if (weight + own > maxWeight && members.length > 0) {
      yield { path, members };
      members = [];
      weight = 0;
    }
    if (own > maxWeight) yield* splitValue(member, [...path, key]);
    else {
      members.push([key, member]);
      weight += own;
    }
  }
  if (members.length > 0) yield { path, members };
}

/** Adds a chunk to the value and returns the value. */
export function addChunk(whole: unknown, piece: ValueChunk): unknown {
  const { path } = piece;
  if ('members' in piece) {
    const container = at(whole, path);
    for (const [key, member] of piece.members) container[key] = member;
    return whole;
  }
  const last = path.at(-1);
  if (last === undefined) return piece.value;
  at(whole, path.slice(0, -1))[last] = piece.value;
  return whole;
}

function at(whole: unknown, path: Path): Record<string | number, unknown> {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], whole) as Record<
    string | number,
    unknown
  >;
}

function weightOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length / 100;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const member of Object.values(value)) weight += weightOf(member);
  return weight;
}
