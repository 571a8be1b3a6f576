import { expect, it } from 'vitest';
import { counted } from './counted.ts';

it('a number agrees with its noun', () => {
  expect([counted(0, 'run'), counted(1, 'run'), counted(2, 'run')]).toEqual(['0 runs', '1 run', '2 runs']);
  expect([1, 2].map((count) => counted(count, 'needs attention', 'need attention'))).toEqual([
    '1 needs attention',
    '2 need attention',
  ]);
});
