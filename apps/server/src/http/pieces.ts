/** A place in a value: the keys that lead there. */
type Path = readonly (string | number)[];
type Member = readonly [key: string | number, value: unknown];

/** Part of a value: what stands at `path`, or further members of the array or object that stands there. */
export type Piece =
  | { readonly path: Path; readonly value: unknown }
  | { readonly path: Path; readonly members: readonly Member[] };

/** Weight of a piece: so many values, or characters of text by the hundred. Copying one between threads takes about a millisecond. */
const maxWeight = 2000;

/** Cuts a JSON-like value into pieces that {@link assemble} puts together again in the same order of members. */
export function* cut(value: unknown, path: Path = []): Generator<Piece> {
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
    if (own > maxWeight) yield* cut(member, [...path, key]);
    else {
      members.push([key, member]);
      weight += own;
    }
  }
  if (members.length > 0) yield { path, members };
}

/** Puts a piece in its place and returns the value so far. */
export function assemble(whole: unknown, piece: Piece): unknown {
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
