const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** A character of more UTF-16 units, such as a letter with hundreds of accents, is cut between code points. */
const longestGrapheme = 64;

/**
 * Cuts a text to `max` UTF-16 units, with `…` as the last of a cut text. Never cuts a character, an escape with a
 * backslash or an entity such as `&amp;` in two, and replaces surrogates without a partner by U+FFFD.
 */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text.toWellFormed() : `${startOfText(text, max - 1)}…`;
}

/** Returns the start of a text of at most `max` UTF-16 units, cut like {@link cutText} without a mark. */
export function startOfText(text: string, max: number): string {
  if (text.length <= max) return text.toWellFormed();
  const start = text.slice(0, boundaryBefore(text, Math.max(max, 0)));
  return withoutHalfEscape(start).toWellFormed();
}

function boundaryBefore(text: string, at: number): number {
  // Characters begin independently of the text far before them: a part of the text is enough, and much faster.
  const from = Math.max(0, at - 2 * longestGrapheme);
  const index = graphemes.segment(text.slice(from, at + longestGrapheme)).containing(at - from)?.index ?? at - from;
  const boundary = from + index;
  if (boundary === at || at - boundary <= longestGrapheme) return boundary;
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}

function withoutHalfEscape(start: string): string {
  const text = start.replace(/&[a-z0-9#]{0,6}$/i, '');
  const [backslashes = ''] = /\\*$/.exec(text) ?? [];
  return backslashes.length % 2 === 1 ? text.slice(0, -1) : text;
}
