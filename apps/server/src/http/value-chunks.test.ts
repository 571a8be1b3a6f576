import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addChunk, splitValue } from './value-chunks.ts';

const together = (value: unknown) => [...splitValue(value)].reduce<unknown>(addChunk, undefined);

describe('pieces of a value', () => {
  it('add up to the split value, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(together(value)).toStrictEqual(value);
      }),
    );
  });

  it('are many for a value of many members, and keep their order', () => {
    const value = { flags: Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, { on: [n, [n]] }])) };
    const pieces = [...splitValue(value)];
    expect(pieces.length).toBeGreaterThan(10);
    expect(JSON.stringify(together(value))).toBe(JSON.stringify(value));
  });

  it('splitValue a member that is large itself', () => {
    const value = [1, Array.from({ length: 50_000 }, (_, n) => n), { last: true }];
    expect([...splitValue(value)].length).toBeGreaterThan(20);
    expect(together(value)).toStrictEqual(value);
  });
});
