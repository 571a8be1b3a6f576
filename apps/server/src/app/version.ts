import { execFileSync } from 'node:child_process';
import packageJson from '../../package.json' with { type: 'json' };

/** The build replaces this name by the commit that it builds. */
declare const builtCommit: string;

/** The version of this program. */
export const version: string = packageJson.version;

/**
 * Returns the version and, where it is known, the commit: of the build, or of the git clone that the program runs from.
 */
export function versionWithCommit(): string {
  const commit = typeof builtCommit === 'undefined' ? commitOfClone() : builtCommit;
  return commit === '' ? version : `${version} (commit ${commit})`;
}

/** Returns the commit of the git clone; an empty text in a copy of the source without git or its history. */
function commitOfClone(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}
