/** Limits of a JSON text, checked before parsing. */
export interface JsonBounds {
  /** The maximum depth of nested arrays and objects. */
  readonly depth: number;
  /** The maximum number of elements of one array, or of members of one object. */
  readonly members: number;
  /** The maximum number of values in the whole text. */
  readonly values: number;
}

const quote = 34;
const comma = 44;
const backslash = 92;
const [openArray, closeArray, openObject, closeObject] = [91, 93, 123, 125];

/** Limits of ordinary bodies: validating this many values takes milliseconds, even when each of them is invalid. */
export const bodyBounds: JsonBounds = { depth: 64, members: 10_000, values: 100_000 };
/** Limits of bodies with many flags. 10,000 flags with two strategies each are 600,000 values. */
export const largeBodyBounds: JsonBounds = { depth: 64, members: 100_000, values: 2_000_000 };

/**
 * Returns the limit that a JSON text exceeds, as a predicate for an error message; undefined when none. Runs in linear
 * time and needs no valid JSON: it counts commas and brackets outside strings. So the parser never gets a text that
 * would take it seconds.
 */
export function exceededBound(json: string, bounds: JsonBounds): string | undefined {
  let depth = 0;
  let values = 1;
  const members: number[] = [];
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === quote) i = endOfString(json, i);
    else if (code === comma) {
      values++;
      const count = (members[depth] ?? 1) + 1;
      members[depth] = count;
      if (count > bounds.members) return `has an array or object with more than ${bounds.members} members`;
    } else if (code === openArray || code === openObject) {
      values++;
      members[++depth] = 1;
      if (depth > bounds.depth) return `is nested deeper than ${bounds.depth} levels`;
    } else if (code === closeArray || code === closeObject) depth = Math.max(0, depth - 1);
    if (values > bounds.values) return `has more than ${bounds.values} values`;
  }
  return undefined;
}

/** Returns the index of the quote that ends the string which starts at `start`, or the length of the text. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === backslash) before--;
  return (at - before) % 2 === 0;
}
