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

describe('jsonList', () => {
  it('writes the fields of the head, then the items of all pages', async () => {
    const text = await textOf(jsonList({ version: 1, total: 3 }, 'items', pagesOf(['1', '"a"'], [], ['{"b":null}'])));
    expect(text).toBe('{"version":1,"total":3,"items":[1,"a",{"b":null}]}');
  });

  it('works without a head and without items', async () => {
    expect(await textOf(jsonList({}, 'items', pagesOf()))).toBe('{"items":[]}');
    expect(await textOf(jsonList({}, 'items', pagesOf([], ['1'])))).toBe('{"items":[1]}');
  });

  it('yields the head before it reads the first page, and reads only pages that are consumed', async () => {
    let pagesRead = 0;
    const pieces = jsonList(
      { total: 9 },
      'items',
      (async function* () {
        for (;;) yield [String(++pagesRead)];
      })(),
    );
    expect((await pieces.next()).value).toBe('{"total":9,"items":[');
    expect(pagesRead).toBe(0);
    expect((await pieces.next()).value).toBe('1');
    await pieces.return(undefined);
    expect(pagesRead).toBe(1);
  });
});
