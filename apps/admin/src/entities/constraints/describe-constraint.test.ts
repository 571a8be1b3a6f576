import { describe, expect, it } from 'vitest';
import { describeConstraint } from './describe-constraint.ts';
import { bodyOf, constraintProblems, draftOf, newConstraint } from './draft.ts';

const plain = { inverted: false, caseInsensitive: false, values: [] };

describe('constraintInWords()', () => {
  it.each([
    [{ ...plain, contextName: 'country', operator: 'IN', values: ['NL', 'BE'] }, 'country is one of NL, BE'],
    [{ ...plain, contextName: 'country', operator: 'NOT_IN', values: ['NL'] }, 'country is not NL'],
    [{ ...plain, contextName: 'country', operator: 'NOT_IN', values: ['NL'], inverted: true }, 'country is NL'],
    [{ ...plain, contextName: 'age', operator: 'NUM_GTE', value: '18' }, 'age is at least 18'],
    [
      { ...plain, contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-03-31T12:00:00.000Z' },
      'currentTime is after 2026-03-31 12:00:00 UTC',
    ],
    [
      { ...plain, contextName: 'mail', operator: 'STR_ENDS_WITH', values: ['@a.example'], caseInsensitive: true },
      'mail ends with @a.example (ignoring case)',
    ],
    [{ ...plain, contextName: 'x', operator: 'NEWER', values: ['1'] }, 'x NEWER 1'],
  ])('%j is "%s"', (constraint, words) => {
    expect(describeConstraint(constraint)).toBe(words);
  });

  it('lists five values and the number of the others', () => {
    const values = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(describeConstraint({ ...plain, contextName: 'x', operator: 'IN', values })).toBe(
      'x is one of a, b, c, d, e and 2 more',
    );
  });
});

describe('the draft of a constraint', () => {
  it('is sent with only the values that its operator uses', () => {
    const draft = { ...newConstraint(), contextName: 'age', values: ['kept'], value: ' 18 ', caseInsensitive: true };
    expect(bodyOf({ ...draft, operator: 'NUM_GT' })).toEqual({
      contextName: 'age',
      operator: 'NUM_GT',
      values: [],
      value: '18',
      inverted: false,
      caseInsensitive: false,
    });
    expect(bodyOf({ ...draft, operator: 'REGEX', inverted: true })).toMatchObject({
      inverted: false,
      caseInsensitive: true,
    });
  });

  it('survives a round trip', () => {
    const sent = { contextName: 'x', operator: 'STR_CONTAINS', values: ['a'], inverted: true, caseInsensitive: true };
    expect(bodyOf(draftOf(sent))).toEqual(sent);
    expect(bodyOf(draftOf({ ...sent, operator: 'IN' }))).toEqual({ ...sent, operator: 'IN' });
    expect(() => draftOf({ ...sent, operator: 'NEWER' })).toThrow('NEWER');
  });

  it('starts with a missing field and missing values', () => {
    expect(Object.keys(constraintProblems([newConstraint(), { ...newConstraint(), operator: 'NUM_EQ' }]))).toEqual([
      'constraints.0.contextName',
      'constraints.0.values',
      'constraints.1.contextName',
      'constraints.1.value',
    ]);
  });
});
