/**
 * JSON kept as its original text. A signal's payload keeps its digits, its key order and its `\u0000`
 * (docs/spec#signal-body), which parsing and printing would change.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Returns a marker that {@link stringify} replaces by the text. Throws outside of `stringify`, where the marker would
   * stay.
   */
  toJSON(): string {
    if (collected === null) throw new Error('JsonText can be printed by stringify() only, not by JSON.stringify()');
    collected.push(this.text);
    return marker;
  }
}

// Random, so that no string of a payload can be the marker.
const marker = `json-text:${crypto.randomUUID()}`;
const quotedMarker = `"${marker}"`;
let collected: string[] | null = null;

/** Returns the JSON of `value` as `JSON.stringify` does, with each {@link JsonText} inside it as its original text. */
export function stringify(value: unknown): string {
  const texts: string[] = [];
  collected = texts;
  let json: string;
  try {
    json = JSON.stringify(value);
  } finally {
    collected = null;
  }
  if (texts.length === 0) return json;
  // JSON.stringify calls toJSON in the order in which it prints the values, so the markers have the order of `texts`.
  let result = '';
  let from = 0;
  for (const text of texts) {
    const at = json.indexOf(quotedMarker, from);
    result += json.slice(from, at) + text;
    from = at + quotedMarker.length;
  }
  return result + json.slice(from);
}
