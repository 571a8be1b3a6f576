import { describe, expect, it } from 'vitest';
import { compileConstraint } from './constraint.ts';
import { readyContext } from './context.ts';
import type { Constraint } from './document.ts';
import { operatorNames, operators, takesList, type ValueKind } from './operators.ts';

/** For each kind of value: three texts in ascending order. Constraints compare with the second. */
const texts: Readonly<Record<ValueKind, readonly [string, string, string]>> = {
  item: ['a', 'b', 'c'],
  text: ['a', 'b', 'c'],
  pattern: ['a', 'b', 'c'],
  network: ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
  number: ['9', '10', '11'],
  version: ['1.9.0', '1.10.0', '1.11.0'],
  date: ['2026-01-01', '2026-01-02', '2026-01-03'],
};

/** Returns for each text whether the constraint is met. For dates, the text is the time of the evaluation. */
function results(constraint: Omit<Constraint, 'contextName'>, found: readonly string[]): boolean[] {
  const { passes } = compileConstraint({ contextName: 'field', ...constraint });
  return found.map((text) =>
    passes(readyContext({ properties: { field: text } }, { now: Date.parse(text), random: () => 0 })),
  );
}

describe.each(operatorNames)('the operator %s', (operator) => {
  const { kind, caseInsensitive } = operators[operator];

  it('compares with the member that the table names, and with no other', () => {
    const [, wanted] = texts[kind];
    const both = { values: { operator, values: [wanted] }, value: { operator, value: wanted } };
    const [read, other] = takesList(operator) ? [both.values, both.value] : [both.value, both.values];
    expect(new Set(results(read, texts[kind]))).toEqual(new Set([true, false]));
    expect(new Set(results(other, texts[kind])).size).toBe(1);
  });

  it('ignores case as the table says', () => {
    const constraint = { operator, values: ['ABC'], value: 'ABC' };
    const ignoring = results({ ...constraint, caseInsensitive: true }, ['abc']);
    if (caseInsensitive === 'no') expect(ignoring).toEqual(results(constraint, ['abc']));
    else expect(ignoring).not.toEqual(results(constraint, ['abc']));
  });
});
