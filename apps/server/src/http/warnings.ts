/**
 * Returns the headers of an answer that warns: the sentences in `X-Warning`, with `?` for characters beyond ASCII,
 * which headers cannot have. Returns no headers without warnings.
 */
export function warningHeaders(warnings: readonly (string | undefined)[]): Readonly<Record<string, string>> {
  const text = warnings.filter((warning) => warning !== undefined).join(' ');
  return text === '' ? {} : { 'x-warning': text.replaceAll(/[^ -~]/g, '?') };
}
