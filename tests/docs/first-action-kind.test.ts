import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addFlagLink } from '../../apps/server/testing/first-action-kind.ts';
import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('FIRST-ACTION-KIND.md');
const blocks = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter(([, of]) => of === language)
    .map(({ index, 2: code = '' }) => ({ path: lastPath(page.slice(0, index)), code }));

function lastPath(text: string): string {
  return [...text.matchAll(/`((?:[\w-]+\/)+[\w.-]+)`/g)].at(-1)?.[1] ?? '';
}

describe('FIRST-ACTION-KIND.md', () => {
  it.each(blocks('diff'))('changes lines that $path has', ({ path, code }) => {
    const before = code.split('\n').filter((line) => /^[ -]/.test(line));
    expect(before).not.toEqual([]);
    expect(read(path)).toContain(before.map((line) => line.slice(1)).join('\n'));
  });

  it('shows the kind that compiles', () => {
    const withoutImports = (code: string) => code.slice(code.indexOf('export '));
    const [shown, ...others] = blocks('ts').map(({ code }) => withoutImports(code));
    expect(others).toEqual([]);
    expect(shown).toBe(withoutImports(read('apps/server/testing/first-action-kind.ts')));
  });

  it('takes web addresses only', () => {
    const taken = (url: string) => addFlagLink.schema.safeParse({ project: 'a', featureName: 'b', url }).success;
    expect(['https://example.com/runbook', 'javascript:alert(1)'].map(taken)).toEqual([true, false]);
  });
});
