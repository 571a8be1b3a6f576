import { expect, it } from 'vitest';
import { timeText } from './clock.ts';

it('a time in a sentence is in UTC, to the minute or to the second', () => {
  const at = Date.UTC(2026, 10, 25, 3, 4, 5, 123);
  expect(timeText(at)).toBe('2026-11-25 03:04 UTC');
  expect(timeText(at, 'seconds')).toBe('2026-11-25 03:04:05 UTC');
});
