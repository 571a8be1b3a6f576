import { describe, expect, it } from 'vitest';
import { compileConstraint } from './constraint.ts';
import { type EvaluationContext, readyContext } from './context.ts';
import type { Constraint } from './document.ts';

function passes(constraint: Partial<Constraint>, field: string | undefined, context: EvaluationContext = {}): boolean {
  const compiled = compileConstraint({ contextName: 'field', operator: 'IN', ...constraint });
  return compiled.passes(readyContext({ properties: { field }, ...context }, { now: 0, random: () => 0 }));
}

describe('a constraint', () => {
  it.each<[Partial<Constraint>, string, string]>([
    [{ operator: 'IN', values: ['Pro'] }, 'pro', 'Free'],
    [{ operator: 'STR_STARTS_WITH', values: ['Mr. '] }, 'mr. T', 'T mr. '],
    [{ operator: 'STR_ENDS_WITH', values: ['@Example.com'] }, 'a@EXAMPLE.com', 'a@example.org'],
    [{ operator: 'STR_CONTAINS', values: ['Beta', 'Test'] }, 'a BETA user', 'a user'],
    [{ operator: 'REGEX', value: '^Pro$' }, 'pro', 'profit'],
  ])('that ignores case passes in any case: %o', (constraint, found, other) => {
    expect(passes({ ...constraint, caseInsensitive: true }, found)).toBe(true);
    expect(passes(constraint, found)).toBe(false);
    expect(passes({ ...constraint, caseInsensitive: true }, other)).toBe(false);
  });

  it.each<[string, Partial<Constraint>]>([
    ['a version', { operator: 'SEMVER_LT', value: '2.0.0' }],
    ['a version', { operator: 'SEMVER_EQ', value: '2.0.0' }],
    ['an address', { operator: 'IN_CIDR', values: ['0.0.0.0/0', '::/0'] }],
  ])('that compares %s fails on text of another kind: %o', (_, constraint) => {
    expect(passes(constraint, 'none of them')).toBe(false);
    expect(passes(constraint, '')).toBe(false);
    expect(passes({ ...constraint, inverted: true }, 'none of them')).toBe(true);
  });

  it.each<Partial<Constraint>>([
    { operator: 'SEMVER_GTE', value: 'latest' },
    { operator: 'NUM_EQ' },
    { operator: 'NUM_GTE', value: 'many' },
    { operator: 'DATE_AFTER', value: 'yesterday' },
    { operator: 'IN_CIDR', values: ['10.0.0.0/33', 'everywhere'] },
    { operator: 'REGEX', value: '(' },
    { operator: 'STR_CONTAINS', values: [' ', ''] },
  ])('whose own value makes no sense fails for every text: %o', (constraint) => {
    for (const text of ['0', '1.0.0', '10.0.0.1', 'latest', '(', 'a b']) expect(passes(constraint, text)).toBe(false);
  });

  it('that compares a number fails on text that is none', () => {
    expect(passes({ operator: 'NUM_LTE', value: '7' }, 'none of them')).toBe(false);
    expect(passes({ operator: 'NUM_LTE', value: '7', inverted: true }, 'none of them')).toBe(true);
    expect(passes({ operator: 'NUM_LTE', value: '7' }, undefined)).toBe(false);
  });

  it.each(['', ' '])('that compares a number finds none in %j, unless it was stored when that was 0', (blank) => {
    const atLeast = { operator: 'NUM_GTE', value: '0' };
    expect(passes(atLeast, blank)).toBe(false);
    expect(passes({ ...atLeast, inverted: true }, blank)).toBe(true);
    expect(passes({ operator: 'NUM_LT', value: blank }, '-1')).toBe(false);
    expect(passes({ ...atLeast, looseNumber: true }, blank)).toBe(true);
    expect(passes({ operator: 'NUM_LT', value: blank, looseNumber: true }, '-1')).toBe(true);
  });

  it('of an unknown operator fails, inverted or not', () => {
    expect(passes({ operator: 'SOUNDS_LIKE', values: ['a'] }, 'a')).toBe(false);
    expect(passes({ operator: 'SOUNDS_LIKE', values: ['a'], inverted: true }, 'a')).toBe(false);
  });

  it.each(['IN', 'STR_CONTAINS'])('%s over a field that the context lacks passes only when inverted', (operator) => {
    expect(passes({ operator, values: ['a'] }, undefined)).toBe(false);
    expect(passes({ operator, values: ['a'], inverted: true }, undefined)).toBe(true);
  });

  it.each([
    ['SEMVER_GT', [false, false, true]],
    ['SEMVER_GTE', [false, true, true]],
    ['SEMVER_EQ', [false, true, false]],
    ['SEMVER_LTE', [true, true, false]],
    ['SEMVER_LT', [true, false, false]],
    ['NUM_GT', [false, false, true]],
    ['NUM_GTE', [false, true, true]],
    ['NUM_EQ', [false, true, false]],
    ['NUM_LTE', [true, true, false]],
    ['NUM_LT', [true, false, false]],
  ])('%s tells smaller, equal and greater apart: %o', (operator, expected) => {
    const texts = operator.startsWith('NUM') ? ['-3', '2.0', '10'] : ['1.10.0', '2.0.0+build', '10.0.0'];
    const value = operator.startsWith('NUM') ? '2' : '2.0.0';
    expect(texts.map((text) => passes({ operator, value }, text))).toEqual(expected);
  });

  it.each(['DATE_AFTER', 'DATE_BEFORE'])('%s fails for the very time that it compares with', (operator) => {
    expect(passes({ operator, value: '2026-01-01T00:00:00Z' }, '', { currentTime: '2026-01-01T00:00:00Z' })).toBe(
      false,
    );
  });

  it('ignores blanks around its values, and blank values', () => {
    expect(passes({ values: [' pro ', '', ' '] }, 'pro')).toBe(true);
    expect(passes({ values: [' pro ', '', ' '] }, '')).toBe(false);
    expect(passes({ operator: 'STR_ENDS_WITH', values: ['', ' '] }, 'pro')).toBe(false);
  });

  it('finds an address in any of its networks, and none in a value that is no network', () => {
    const constraint = { operator: 'IN_CIDR', values: ['192.0.2.0/24', 'nowhere', '2001:db8::/32'] };
    expect(['192.0.2.9', '2001:db8::9', '192.0.3.9'].map((text) => passes(constraint, text))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
