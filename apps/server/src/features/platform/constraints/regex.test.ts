import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { regexProblem } from './regex.ts';

describe('a pattern', () => {
  it.each([
    '^foo.*bar$',
    '(?i:abc)|[a-z0-9_-]{2,10}',
    '(?P<year>\\d{4})-(?<month>0[1-9]|1[0-2])',
    '\\p{Lu}\\P{L}\\pN[\\p{Nd}\\-\\]]\\p{Greek}',
    'a{1000}b{0,1000}c{3,}',
    '\\x41\\x{1F6A9}\\t\\n\\.\\*\\\\',
    '\\Aa[[:alpha:]]\\z',
    '[(?=]\\(\\?=',
    '日本|é🚩',
    'a'.repeat(1000),
    '',
  ])('that is valid in RE2 is accepted: %s', (pattern) => {
    expect(regexProblem(pattern)).toBeUndefined();
  });

  it.each([
    ['(', 'missing closing )'],
    ['a**', 'invalid nested repetition'],
    ['[z-a]', 'invalid character class range'],
    ['a(?=b)', '(?='],
    ['(?<!a)b', '(?<!'],
    ['(a)\\1', 'invalid escape sequence'],
    ['(?<n>a)\\k<n>', 'invalid escape sequence'],
    ['\\u{1F6A9}', 'invalid escape sequence'],
    ['\\p{Emoji}', 'category or script'],
    ['\\p{Script=Greek}', 'invalid character class range'],
    ['\\\\\\P{White_Space}', 'category or script'],
    ['[]', 'missing closing ]'],
    ['a{1001}', 'invalid repeat count'],
    ['((a{20}){20}){3}', 'invalid repeat count'],
    ['((a{100}){100}){100}', 'too large'],
    ['(.{0,1000})'.repeat(80), 'expanded, it may have at most 3000 characters'],
    ['a'.repeat(1001), 'at most 1000 characters'],
  ])('that is invalid in RE2 is rejected: %s', (pattern, why) => {
    expect(regexProblem(pattern)).toContain(why);
  });

  it('of any text gets a result and never crashes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (pattern) => {
        expect(regexProblem(pattern)).not.toBe('');
      }),
    );
  });
});
