import { describe, expect, it } from 'vitest';
import { inlined, serveSegment } from './served-segment.ts';

describe('constraints of segments among those of a strategy', () => {
  const served = new Map([
    [1, serveSegment({ id: 1, name: 'a', constraintsJson: '[{"n":1},{"n":2}]' })],
    [2, serveSegment({ id: 2, name: 'b', constraintsJson: '[]' })],
  ]);

  it('stand behind its own, and none is lost where a list is empty', () => {
    expect(JSON.parse(inlined('[{"n":0}]', [1, 2], served))).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }]);
    expect(JSON.parse(inlined('[]', [2, 1], served))).toEqual([{ n: 1 }, { n: 2 }]);
    expect(inlined('[]', [2], served)).toBe('[]');
  });

  it('are one that nobody passes where the segment is not there', () => {
    const constraints = JSON.parse(inlined('[{"n":0}]', [3, 1], served));
    expect(constraints).toEqual([
      { n: 0 },
      expect.objectContaining({ operator: 'IN', values: [] }),
      { n: 1 },
      { n: 2 },
    ]);
    expect(constraints[1].inverted).toBe(false);
  });
});
