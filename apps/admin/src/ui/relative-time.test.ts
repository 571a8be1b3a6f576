import { describe, expect, it } from 'vitest';
import { ago } from './relative-time.tsx';

const now = Date.parse('2026-11-21T12:00:00Z');
const before = (seconds: number) => ago(now - seconds * 1000, now);

describe('a moment as a person tells it', () => {
  it.each([
    [3, 'just now'],
    [42, '42 seconds ago'],
    [119, '1 minute ago'],
    [7200, '2 hours ago'],
    [86_400, 'yesterday'],
    [3 * 31_557_600, '3 years ago'],
  ])('%d seconds before now is %s', (seconds, words) => {
    expect(before(seconds)).toBe(words);
  });

  it('may be to come', () => {
    expect(ago(now + 3_600_000, now)).toBe('in 1 hour');
  });
});
