import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern.ts';

describe('a pattern', () => {
  it.each([
    ['(?P<year>\\d{4})', 'in 2026', true],
    ['\\Aab\\z', 'ab\n', false],
    ['[[:alpha:]]+\\pL', 'éa1', false],
    ['\\x{1F6A9}', 'a🚩', true],
    ['(?i)STRASSE', 'strasse', true],
    ['^b', 'a\nb', false],
    ['(?m)^b', 'a\nb', true],
  ])('is read as RE2 reads it: %s in %o is %o', (pattern, text, found) => {
    expect(compilePattern(pattern, false)(text)).toBe(found);
  });

  it.each(['(', 'a(?=b)', '(?<=a)b', '(a)\\1', 'a{1001}', '((a{100}){100}){100}', '\\u0041', '[z-a]', '*'])(
    'that RE2 does not take is an error: %s',
    (pattern) => expect(() => compilePattern(pattern, false)).toThrow(/error parsing regexp|invalid|missing|too/i),
  );

  it.each(['^(a+)+$', '^(a|aa)+$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'])(
    'takes no time out of all proportion, whatever it is: %s',
    (pattern) => {
      const find = compilePattern(pattern, false);
      const started = performance.now();
      expect(find(`${'a'.repeat(5000)}!`)).toBe(false);
      // An engine that backtracks does not come back at all.
      expect(performance.now() - started).toBeLessThan(5000);
    },
  );
});
