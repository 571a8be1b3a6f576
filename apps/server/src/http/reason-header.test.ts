import { expect, it } from 'vitest';
import { reasonIn } from './reason-header.ts';

const longest = 5;
const read = (text: string | undefined) => reasonIn({ header: () => text }, 'X-Reason', longest);

it.each([
  ['a', 'a'],
  ['12345', '12345'],
  [encodeURIComponent('größe'), 'größe'],
  ['%20ab%20', 'ab'],
  [undefined, undefined],
])('the reason in the header %s is %s', (header, reason) => {
  expect(read(header)).toBe(reason);
});

it.each(['', '%20', '123456', 'a%00', 'a%0Ab', '%', '%ff', 'ü'])('the header %s is refused', (header) => {
  expect(() => read(header)).toThrow('X-Reason must be a reason of 1 to 5 characters');
});
