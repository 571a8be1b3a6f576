import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll } from 'vitest';

const run = promisify(execFile);

/** An SDK that the tests of one folder run, in packages of its own. */
export interface InstalledSdk {
  /** Where its packages are. */
  readonly directory: string;
  /** The exports of one of its packages, of which `T` says as much as the tests use. */
  load<T>(name: string): T;
}

/**
 * Installs what the lock file beside a test names, before its tests: SDKs that are heavy, or that need other versions than
 * each other, stay out of what everybody installs. Does nothing when that has been done. No script of a package is run, and
 * none that is optional is fetched.
 */
export function installedSdk(client: string): InstalledSdk {
  const directory = fileURLToPath(new URL(`${client}/`, import.meta.url));
  beforeAll(async () => {
    const lock = createHash('sha256')
      .update(readFileSync(join(directory, 'package-lock.json')))
      .digest('hex');
    const mark = join(directory, 'node_modules', '.installed');
    if (contentOf(mark) === lock) return;
    const options = ['--ignore-scripts', '--omit=optional', '--prefer-offline', '--loglevel=error'];
    // Its cache of compiled code would be left in the temporary directory.
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
    await run('npm', ['ci', '--prefix', directory, ...options], { cwd: directory, env, timeout: patienceMs });
    writeFileSync(mark, lock);
  }, patienceMs);
  const require = createRequire(join(directory, 'package.json'));
  return { directory, load: (name) => require(name) };
}

const patienceMs = 120_000;

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
