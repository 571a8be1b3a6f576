import { describe, expect, it } from 'vitest';
import { inlineSegments, toSnapshotSegment } from './snapshot-segment.ts';

const constraint = (contextName: string) => ({
  contextName,
  operator: 'IN',
  values: ['a'],
  inverted: false,
  caseInsensitive: false,
});

describe('inlineSegments', () => {
  const segments = new Map([
    [1, toSnapshotSegment({ id: 1, name: 'a', constraintsJson: JSON.stringify([constraint('n1'), constraint('n2')]) })],
    [2, toSnapshotSegment({ id: 2, name: 'b', constraintsJson: '[]' })],
  ]);

  it('appends the constraints of segments to those of the strategy, also when a list is empty', () => {
    expect(JSON.parse(inlineSegments('[{"n":0}]', [1, 2], segments))).toEqual([
      { n: 0 },
      constraint('n1'),
      constraint('n2'),
    ]);
    expect(JSON.parse(inlineSegments('[]', [2, 1], segments))).toEqual([constraint('n1'), constraint('n2')]);
    expect(inlineSegments('[]', [2], segments)).toBe('[]');
  });

  it('replaces a missing segment by a constraint that is never met', () => {
    const constraints = JSON.parse(inlineSegments('[{"n":0}]', [3, 1], segments));
    expect(constraints).toEqual([
      { n: 0 },
      expect.objectContaining({ operator: 'IN', values: [] }),
      constraint('n1'),
      constraint('n2'),
    ]);
    expect(constraints[1].inverted).toBe(false);
  });
});
