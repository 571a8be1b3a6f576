import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf, withNumbers } from './numbers.ts';

function rows(statement: string): unknown[] {
  const database = new DatabaseSync(':memory:');
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

describe('seeding by numbers', () => {
  it('counts from one', () => {
    expect(rows(`${withNumbers(3)} select i from n`)).toEqual([{ i: 1 }, { i: 2 }, { i: 3 }]);
  });

  it('writes any text as it is, and the number where it stands', () => {
    const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed());
    fc.assert(
      fc.property(text, text, (before, after) => {
        const made = rows(`${withNumbers(1)} select ${textOf(`${before}{i}${after}`, 'i + 6')} as made from n`);
        expect(made).toEqual([{ made: `${before}{i}${after}`.replaceAll('{i}', '7') }]);
      }),
    );
  });
});
