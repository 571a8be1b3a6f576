/**
 * JSON that passes through as the text it came in: a signal's payload keeps its number digits, its key
 * order and its `\u0000` (docs/spec#signal-body), which parsing and printing again would not.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Leaves a marker for {@link stringify} to put the text at. Anywhere else it would show, so it throws. */
  toJSON(): string {
    if (collected === null) throw new Error('JsonText is printed by stringify only');
    collected.push(this.text);
    return marker;
  }
}

// Nobody can guess it, so no string of a payload is ever mistaken for it.
const marker = `json-text:${crypto.randomUUID()}`;
const quotedMarker = `"${marker}"`;
let collected: string[] | null = null;

/** `JSON.stringify` that writes each {@link JsonText} inside `value` as its own text. */
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
  // JSON.stringify asks for the texts in the order in which it prints them.
  let result = '';
  let from = 0;
  for (const text of texts) {
    const at = json.indexOf(quotedMarker, from);
    result += json.slice(from, at) + text;
    from = at + quotedMarker.length;
  }
  return result + json.slice(from);
}
