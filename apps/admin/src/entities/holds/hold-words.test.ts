import { expect, it } from 'vitest';
import { endOfHold } from './hold-words.ts';

const now = Date.parse('2026-11-24T17:40:00.000Z');
const [past, future] = ['2026-11-24T17:37:00.000Z', '2026-11-24T17:50:00.000Z'];

it.each([
  [null, 'release', 'by a person'],
  [future, 'release', 'at its time'],
  [past, 'release', 'over'],
  [future, 'keep', 'then kept'],
  [past, 'keep', 'by a person'],
] as const)('a hold with the end %s (%s) names no end that has passed: %s', (expiresAt, onExpiry, ending) => {
  expect(endOfHold({ expiresAt, onExpiry }, now)).toBe(ending);
});
