import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Time limit of {@link installPackages}, unless a caller sets another one. */
export const patienceMs = 120_000;

/**
 * Installs the packages of a directory's lock file, unless they are installed. Runs no install script and skips
 * optional packages.
 */
export async function installPackages(directory: string, timeout = patienceMs): Promise<void> {
  const lock = createHash('sha256')
    .update(readFileSync(join(directory, 'package-lock.json')))
    .digest('hex');
  const mark = join(directory, 'node_modules', '.installed');
  if (contentOf(mark) === lock) return;
  const options = ['--ignore-scripts', '--omit=optional', '--prefer-offline', '--loglevel=error'];
  // npm's cache of compiled code would be left in the temporary directory.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  await run('npm', ['ci', '--prefix', directory, ...options], { cwd: directory, env, timeout });
  writeFileSync(mark, lock);
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
