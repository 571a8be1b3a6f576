import { describe, expect, it } from 'vitest';
import { inlineSegments, toSnapshotSegment } from './snapshot-segment.ts';

describe('inlineSegments', () => {
  const segments = new Map([
    [1, toSnapshotSegment({ id: 1, name: 'a', constraintsJson: '[{"n":1},{"n":2}]' })],
    [2, toSnapshotSegment({ id: 2, name: 'b', constraintsJson: '[]' })],
  ]);

  it('appends the constraints of segments to those of the strategy, also when a list is empty', () => {
    expect(JSON.parse(inlineSegments('[{"n":0}]', [1, 2], segments))).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect(JSON.parse(inlineSegments('[]', [2, 1], segments))).toEqual([{ n: 1 }, { n: 2 }]);
    expect(inlineSegments('[]', [2], segments)).toBe('[]');
  });

  it('replaces a missing segment by a constraint that is never met', () => {
    const constraints = JSON.parse(inlineSegments('[{"n":0}]', [3, 1], segments));
    expect(constraints).toEqual([
      { n: 0 },
      expect.objectContaining({ operator: 'IN', values: [] }),
      { n: 1 },
      { n: 2 },
    ]);
    expect(constraints[1].inverted).toBe(false);
  });
});
