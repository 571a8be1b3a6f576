import { expect, test } from 'vitest';
import { firstOf, itemAt } from './lists.ts';

test('an item is found by its index, also when it is null or empty', () => {
  expect(itemAt(['a', '', null], 1)).toBe('');
  expect(itemAt(['a', '', null], 2)).toBeNull();
  expect(firstOf([0, 1])).toBe(0);
});

test('an index beyond the list is refused with the index and the length', () => {
  expect(() => itemAt(['a'], 1)).toThrow('The list has no item 1: its length is 1.');
  expect(() => firstOf([])).toThrow('The list has no item 0: its length is 0.');
});

test('a group of a pattern that did not match is refused', () => {
  const match = /(a)|(b)/.exec('b') ?? [];
  expect(itemAt(match, 2)).toBe('b');
  expect(() => itemAt(match, 1)).toThrow('no item 1');
});
