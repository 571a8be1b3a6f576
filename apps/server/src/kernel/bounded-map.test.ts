import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

it('evicts the entry that was set the longest ago', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

it('keeps as many entries as it may have', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('b', 3);
  expect([...map.keys()]).toEqual(['a', 'b']);
});
