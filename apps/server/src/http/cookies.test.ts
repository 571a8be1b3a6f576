import { expect, it } from 'vitest';
import { readCookies } from './cookies.ts';

it.each([
  [undefined, {}],
  ['', {}],
  ['a=1', { a: '1' }],
  ['a=1; b="2 3";c = 4=5 ', { a: '1', b: '2 3', c: '4=5' }],
  ['a=first; a=second', { a: 'first' }],
  ['no value; a=1;; =x', { a: '1', '': 'x' }],
  ['a=%2F', { a: '%2F' }],
])('reads the cookies of %j', (header, cookies) => {
  expect({ ...readCookies(header) }).toEqual(cookies);
});

it('takes no cookie for a part of an object', () => {
  const cookies = readCookies('__proto__=1');
  expect('constructor' in cookies).toBe(false);
  expect(Object.entries(cookies)).toEqual([['__proto__', '1']]);
});
