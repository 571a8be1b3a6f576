import { describe, expect, it } from 'vitest';
import { jsonList } from './json-list.ts';

async function* pagesOf(...pages: string[][]) {
  yield* pages;
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('a list of JSON text', () => {
  it('holds the items of all pages after the fields of the head', async () => {
    const text = await textOf(jsonList({ version: 1, total: 3 }, 'items', pagesOf(['1', '"a"'], [], ['{"b":null}'])));
    expect(text).toBe('{"version":1,"total":3,"items":[1,"a",{"b":null}]}');
  });

  it('may have no head and no items', async () => {
    expect(await textOf(jsonList({}, 'items', pagesOf()))).toBe('{"items":[]}');
    expect(await textOf(jsonList({}, 'items', pagesOf([], ['1'])))).toBe('{"items":[1]}');
  });

  it('begins before the first page is asked for, and asks for no page that nobody reads', async () => {
    let asked = 0;
    const pieces = jsonList(
      { total: 9 },
      'items',
      (async function* () {
        for (;;) yield [String(++asked)];
      })(),
    );
    expect((await pieces.next()).value).toBe('{"total":9,"items":[');
    expect(asked).toBe(0);
    expect((await pieces.next()).value).toBe('1');
    await pieces.return(undefined);
    expect(asked).toBe(1);
  });
});
