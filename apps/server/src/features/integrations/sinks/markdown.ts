/**
 * Escapes Markdown in the names of a sentence, but not the `**` around them: a name could hide a link otherwise.
 * Two asterisks in names are escaped already.
 */
export function escapedMarkdown(text: string): string {
  return text.replace(/\\\*|[[\]()`~<>_\\]/g, (found) => (found === '\\*' ? found : `\\${found}`));
}
