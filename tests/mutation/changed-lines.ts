import { execFileSync } from 'node:child_process';

/** Lines of a file, the first and the last included. */
export interface LineRange {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Runs git in the repository and returns its output. */
export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** Returns whether the repository has that commit. A shallow clone lacks old commits. */
export function hasCommit(root: string, commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch (error) {
    if (typeof (error as { status?: unknown }).status === 'number') return false;
    throw error;
  }
}

/**
 * Returns the lines of the files that were added or changed since a commit, uncommitted changes included. A renamed
 * file counts with its changed lines only.
 */
export function changedLines(root: string, since: string, files: readonly string[]): LineRange[] {
  if (files.length === 0) return [];
  const options = ['--unified=0', '--no-color', '--no-ext-diff', '--find-renames', '--diff-filter=AMR', '-l0'];
  // Does not pass the files to git, which finds a rename only if it sees the old file too.
  const lines = linesOf(git(root, 'diff', ...options, '--src-prefix=a/', '--dst-prefix=b/', since));
  return lines.filter(({ file }) => files.includes(file));
}

/** Returns the lines that a diff without context adds. */
function linesOf(diff: string): LineRange[] {
  const ranges: LineRange[] = [];
  let file = '';
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ b/')) file = line.slice('+++ b/'.length);
    const [, start, count = '1'] = /^@@ -\S+ [+](\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined || count === '0') continue;
    ranges.push({ file, from: Number(start), to: Number(start) + Number(count) - 1 });
  }
  return ranges;
}
