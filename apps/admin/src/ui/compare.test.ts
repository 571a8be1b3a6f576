import { describe, expect, it } from 'vitest';
import { compare, compareWithNothing } from './compare.ts';

describe('compare()', () => {
  it('finds no differences between equal values, whatever the order of fields', () => {
    expect(compare({ a: 1, b: { c: [1, null] } }, { b: { c: [1, null] }, a: 1 })).toEqual([]);
  });

  it('reports changed, added, removed and nested fields', () => {
    expect(
      compare(
        { name: 'x', old: true, parameters: { rollout: '10', stickiness: 'default' } },
        { name: 'y', new: null, parameters: { rollout: '50', stickiness: 'default' } },
      ),
    ).toEqual([
      { name: 'name', kind: 'changed', before: 'x', after: 'y' },
      { name: 'old', kind: 'removed', before: true },
      { name: 'parameters', kind: 'within', parts: [{ name: 'rollout', kind: 'changed', before: '10', after: '50' }] },
      { name: 'new', kind: 'added', after: null },
    ]);
  });

  it('leaves list elements unchanged after an inserted element', () => {
    expect(compare(['no', 'se'], ['dk', 'no', 'se'])).toEqual([{ name: '"dk"', kind: 'added', after: 'dk' }]);
    const [no, dk] = [
      { id: 1, values: ['no'] },
      { id: 2, values: ['dk'] },
    ];
    expect(compare({ list: [no] }, { list: [dk, { ...no, values: ['se'] }] })).toEqual([
      {
        name: 'list',
        kind: 'within',
        parts: [
          {
            name: '1',
            kind: 'within',
            parts: [
              {
                name: 'values',
                kind: 'within',
                parts: [
                  { name: '"no"', kind: 'removed', before: 'no' },
                  { name: '"se"', kind: 'added', after: 'se' },
                ],
              },
            ],
          },
          { name: '2', kind: 'added', after: dk },
        ],
      },
    ]);
  });

  it('matches elements with equal names by position', () => {
    expect(
      compare(
        [
          { name: 'a', n: 1 },
          { name: 'a', n: 2 },
        ],
        [
          { name: 'a', n: 1 },
          { name: 'a', n: 3 },
        ],
      ),
    ).toEqual([{ name: '2', kind: 'within', parts: [{ name: 'n', kind: 'changed', before: 2, after: 3 }] }]);
  });

  it('reports a changed order', () => {
    const [before, after] = [{ ids: ['a', 'b'] }, { ids: ['b', 'a'] }];
    expect(compare(before, after)).toEqual([{ name: 'ids', kind: 'changed', before: ['a', 'b'], after: ['b', 'a'] }]);
  });

  it('reports a changed type', () => {
    expect(compare({ a: '50' }, { a: 50 })).toEqual([{ name: 'a', kind: 'changed', before: '50', after: 50 }]);
    expect(compare({ a: [1] }, { a: { 0: 1 } })).toEqual([
      { name: 'a', kind: 'changed', before: [1], after: { 0: 1 } },
    ]);
    expect(compare(1, 2)).toEqual([{ name: '', kind: 'changed', before: 1, after: 2 }]);
  });

  it('reports every field of an added or removed value', () => {
    expect(compareWithNothing({ name: 'x', on: false }, 'added')).toEqual([
      { name: 'name', kind: 'added', after: 'x' },
      { name: 'on', kind: 'added', after: false },
    ]);
    expect(compareWithNothing('x', 'removed')).toEqual([{ name: '', kind: 'removed', before: 'x' }]);
  });
});
