import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sameOnBothEngines } from './same-on-both.ts';

it.each(Object.keys(sameOnBothEngines))('%s names test files', (pattern) => {
  const exclude = ['**/node_modules/**', '**/dist/**'];
  expect(globSync(pattern, { cwd: new URL('../..', import.meta.url), exclude })).not.toEqual([]);
});
