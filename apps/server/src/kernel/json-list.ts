/**
 * Streams the JSON text of `{...head, "<name>": [...]}` page by page: the first byte is sent at once, and only one page
 * is in memory. `pages` yields items as JSON text.
 */
export async function* jsonList(
  head: object,
  name: string,
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  const fields = JSON.stringify(head).slice(1, -1);
  yield `{${fields}${fields === '' ? '' : ','}${JSON.stringify(name)}:[`;
  let separator = '';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.join(',');
    separator = ',';
  }
  yield ']}';
}
