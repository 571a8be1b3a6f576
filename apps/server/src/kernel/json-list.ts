/**
 * The text of `{...head, "<name>": [...]}`, piece by piece as its items come, so that the first byte leaves at once
 * and no more than a page is in memory. `pages` hold items as JSON text.
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
