import { describe, expect, it } from 'vitest';
import { compileConstraint } from './constraint.ts';
import { readyContext } from './context.ts';
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

  it.each(['(', 'a(?=b)', '(?<=a)b', '(a)\\1', 'a{1001}', '((a{20}){20}){3}', '\\u0041', '[z-a]', '*'])(
    'that RE2 does not take is an error: %s',
    (pattern) => expect(() => compilePattern(pattern, false)).toThrow(/error parsing regexp|invalid|missing|too/i),
  );

  it.each(['^(a+)+$', '^(a|aa)+$', '(.*)*x', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'])(
    'takes time in proportion to its length: %s',
    (pattern) => {
      const find = compilePattern(pattern, false);
      const started = process.threadCpuUsage();
      expect(find(`${'a'.repeat(5000)}!`)).toBe(false);
      // A backtracking engine would take practically forever.
      expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(1000);
    },
  );

  it.each([
    ['^\\d{1,3}(\\.\\d{1,3}){3}$', '192.0.2.17'],
    ['^[a-z]{2,63}$', 'example'],
    ['^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}\\.[A-Za-z]{2,63}$', 'someone@example.com'],
    ['^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$', 'c2d29867-3d0b-4497-9191-18a9d8ee7830'],
    ['^(.{0,200}){2}$', 'a'.repeat(400)],
    ['^(?P<id>\\p{Lu}{3}\\d{1,9}),?(?:;(?i:[a-z]{1,20})){0,50}$', 'ABC123;de;F'],
    ['^[\\p{L}\\p{N}]{1,500}$', 'é9'],
    ['^[一-龥а-яё]{2,20}$', '一二'],
    ['^[\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]{1,50}$', '🚩'],
    ['^\\x{1000}\\Q{1000}(\\E[({1000}]$', '\u{1000}{1000}({'],
    ['^a{1000}b{0,1000}$', 'a'.repeat(1000)],
    ['a'.repeat(3000), 'a'.repeat(3000)],
    [`^[${'\\pL'.repeat(100)}]$`, 'é'],
  ])('that people write is compiled: %s', (pattern, text) => {
    expect(compilePattern(pattern, true)(text)).toBe(true);
  });

  it.each([
    '(.{0,1000})'.repeat(80),
    '((((((((((a)))))))))){0,1000}',
    '((a{20}){20}b{20}){20}',
    // A parser that differs from RE2 would see another operand of the last repeat in each of these patterns.
    '(aaaa)(?i){1000}',
    `(${'a'.repeat(800)})(?${'i'.repeat(50)}){10}`,
    '(aaaa)\\Q\\E{1000}',
    '(aaa\\Q)\\E){1000}',
    '([)]aaa){1000}',
    '([]a)]aaa){1000}',
    '([^])]aaa){1000}',
    '([[:alpha:])]aaa){1000}',
    '(\\)aaa){1000}',
    '(?P<name>aaaa){1000}',
    '(\\pLaaa){1000}',
    // Patterns that take as long without a repeat, when case is ignored.
    `[${'B-\u{1E942}'.repeat(200)}]`,
    '[B-\\x{1E942}]'.repeat(70),
    `[${`B-\\x{${'0'.repeat(30)}1E942}`.repeat(24)}]`,
    '\\pL'.repeat(333),
    `[${'\\pL'.repeat(151)}]`,
    'a'.repeat(3001),
  ])('that is much more than it looks is an error before it is compiled: %s', (pattern) => {
    expect(() => compilePattern(pattern, true)).toThrow('larger than 3000 with its repeats written out');
  });

  it('of any size is judged in time in proportion to it', () => {
    for (const part of [
      '(',
      '[',
      '\\Q',
      '{1',
      '(?P<',
      '\\p{',
      '[[:a',
      '(?i',
      '\\x{',
      '[a-',
      'a{9}',
      ')',
      '[^',
      '(?i)',
      '\\Q\\E',
    ]) {
      const started = process.threadCpuUsage();
      expect(() => compilePattern(part.repeat(100_000), false)).toThrow();
      // A time quadratic in the length would be minutes.
      expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(1000);
    }
  });

  it('that is too large matches nothing in a constraint', () => {
    const passes = (value: string) => {
      const constraint = compileConstraint({ contextName: 'field', operator: 'REGEX', values: [], value });
      return constraint.passes(readyContext({ properties: { field: 'a' } }, { now: 0, random: () => 0 }));
    };
    expect(passes('^(.{0,1000}){3}')).toBe(false);
    expect(passes('^(.{0,1000}){1}')).toBe(true);
  });
});
