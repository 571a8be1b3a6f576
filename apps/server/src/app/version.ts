import { execFileSync } from 'node:child_process';
import packageJson from '../../package.json' with { type: 'json' };

/** Replaced by the build with the commit that was built. */
declare const builtCommit: string;

/** The version of this program. */
export const version: string = packageJson.version;

/** Returns the version with the commit, where that is known: of the build, or of the clone that runs from source. */
export function versionWithCommit(): string {
  const commit = typeof builtCommit === 'undefined' ? commitOfClone() : builtCommit;
  return commit === '' ? version : `${version} (commit ${commit})`;
}

/** Returns an empty text in a copy of the source without git or its history. */
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
