import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexProblem } from './regex.ts';

describe('a pattern', () => {
  it.each([
    '^foo.*bar$',
    '(?i:abc)|[a-z0-9_-]{2,10}',
    '(?<year>\\d{4})-(?:0[1-9]|1[0-2])',
    '\\p{Lu}\\P{L}[\\p{Nd}\\-\\]]',
    'a{1000}b{0,1000}c{3,}',
    '\\x41\\t\\n\\.\\*\\\\',
    '[(?=]\\(\\?=',
    '[[a]',
    '日本|é🚩',
    '',
  ])('that every SDK reads alike is taken: %s', (pattern) => {
    expect(regexProblem(pattern)).toBeUndefined();
  });

  it.each([
    ['(', 'not a valid'],
    ['a**', 'not a valid'],
    ['[z-a]', 'not a valid'],
    ['a(?=b)', 'ahead or behind'],
    ['a(?!b)', 'ahead or behind'],
    ['(?<=a)b', 'ahead or behind'],
    ['(?<!a)b', 'ahead or behind'],
    ['(a)\\1', 'refer back'],
    ['(?<n>a)\\k<n>', 'refer back'],
    ['(?<ñ>a)', 'name groups'],
    ['\\u{1F6A9}', 'escapes'],
    ['\\cA', 'escapes'],
    ['a\\0', 'escapes'],
    ['\\p{Script=Greek}', 'general category'],
    ['\\p{Emoji}', 'general category'],
    ['[\\b]', 'inside a character class'],
    ['[[:alpha:]', 'inside a character class'],
    ['[]', 'empty'],
    ['a[^]', 'empty'],
    ['a{1001}', '1000 times'],
    ['a{2,99999}', '1000 times'],
    [`a{${'9'.repeat(100)}}`, '1000 times'],
  ])('that RE2 does not have or reads differently is refused: %s', (pattern, why) => {
    expect(regexProblem(pattern)).toContain(why);
  });

  it('of any text is judged, never a crash', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (pattern) => {
        const problem = regexProblem(pattern);
        if (problem === undefined) expect(() => new RegExp(pattern, 'u')).not.toThrow();
        else expect(problem).not.toBe('');
      }),
    );
  });
});
