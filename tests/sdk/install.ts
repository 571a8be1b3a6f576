import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import { installPackages, patienceMs } from './packages.ts';

/** An SDK that the tests of one folder run, in packages of its own. */
export interface InstalledSdk {
  /** Where its packages are. */
  readonly directory: string;
  /** The exports of one of its packages; `T` declares those that the tests use. */
  load<T>(name: string): T;
}

/**
 * Installs the packages of the lock file beside a test, before its tests: SDKs that are large, or need conflicting
 * versions, stay out of the root dependencies. See {@link installPackages}.
 */
export function installedSdk(client: string): InstalledSdk {
  const directory = fileURLToPath(new URL(`${client}/`, import.meta.url));
  beforeAll(() => installPackages(directory), patienceMs);
  const require = createRequire(join(directory, 'package.json'));
  return { directory, load: (name) => require(name) };
}
