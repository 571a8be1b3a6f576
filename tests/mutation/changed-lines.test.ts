import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedLines, hasCommit } from './changed-lines.ts';

let root = '';
let first = '';

function git(...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim();
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'yardarm-changed-lines-'));
  git('init', '--quiet');
  writeFileSync(join(root, 'kept.ts'), 'one\ntwo\nthree\nfour\n');
  writeFileSync(join(root, 'other.ts'), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  first = git('rev-parse', 'HEAD');
});
afterEach(() => rmSync(root, { recursive: true }));

it('finds the lines that commits and uncommitted changes since a commit touch, in the given files only', () => {
  writeFileSync(join(root, 'kept.ts'), 'one\n2\nthree\nfour\nfive\nsix\n');
  writeFileSync(join(root, 'other.ts'), 'changed\n');
  writeFileSync(join(root, 'new.ts'), 'a\nb\n');
  git('add', 'new.ts');
  git('commit', '--quiet', '--message', 'second');
  expect(changedLines(root, first, ['kept.ts', 'new.ts'])).toEqual([
    { file: 'kept.ts', from: 2, to: 2 },
    { file: 'kept.ts', from: 5, to: 6 },
    { file: 'new.ts', from: 1, to: 2 },
  ]);
});

it('finds only the changed lines of a renamed file', () => {
  git('mv', 'kept.ts', 'renamed.ts');
  writeFileSync(join(root, 'renamed.ts'), 'one\ntwo\nthree\n4\n');
  git('add', '.');
  expect(changedLines(root, first, ['renamed.ts'])).toEqual([{ file: 'renamed.ts', from: 4, to: 4 }]);
});

it('finds no lines where lines were only deleted or nothing changed', () => {
  expect(changedLines(root, first, ['kept.ts'])).toEqual([]);
  writeFileSync(join(root, 'kept.ts'), 'one\nfour\n');
  expect(changedLines(root, first, ['kept.ts'])).toEqual([]);
});

it('distinguishes commits that the clone has from commits that it lacks', () => {
  expect(hasCommit(root, first)).toBe(true);
  expect(hasCommit(root, '0123456789012345678901234567890123456789')).toBe(false);
});
