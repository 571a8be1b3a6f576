/** Names in paths are shorter; the secrets of tokens and links are longer, or contain a colon. */
const longestName = 24;

/** Returns a path for an error, without the parts that may be secrets: an error can end in a log. */
export function quotedPath(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length > longestName || /:|%3a/i.test(part) ? '…' : part))
    .join('/');
}
