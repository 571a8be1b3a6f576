/**
 * Characters that change the direction of the text after them, or are not drawn: a name with them looks like another
 * one.
 */
const directions = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a text with its bidirectional and invisible characters as numbers, such as `U+202E`. */
export function visible(text: string): string {
  return text.replace(directions, (found) => `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
}

/** Escapes Markdown in a text that has no marks of its own. */
export function plainMarkdown(text: string): string {
  return escapedMarkdown(text.replaceAll('*', '\\*'));
}

/**
 * Escapes Markdown in the names of a sentence, but not the `**` around them: a name could hide a link otherwise.
 * Asterisks in names are escaped already.
 */
export function escapedMarkdown(text: string): string {
  return text.replace(/\\\*|[[\]()`~<>_\\]/g, (found) => (found === '\\*' ? found : `\\${found}`));
}
