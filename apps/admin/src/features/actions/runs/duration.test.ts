import { expect, it } from 'vitest';
import { formatDuration } from './duration.ts';

it.each([
  [-3, '0 ms'],
  [40, '40 ms'],
  [1000, '1 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min'],
  [3_600_000 * 2, '2 h'],
])('%i ms is %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});
