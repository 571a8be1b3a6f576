import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import { installPackages, patienceMs } from './packages.ts';

/** An SDK that the tests of one folder use, installed in that folder. */
export interface InstalledSdk {
  /** The folder with the SDK's packages. */
  readonly directory: string;
  /** Loads a package and returns its exports; `T` declares those that the tests use. */
  load<T>(name: string): T;
}

/**
 * Installs the packages of the lock file in the folder `client` before the tests of a file. SDKs that are large, or
 * need conflicting versions, are not in the root dependencies. See {@link installPackages}.
 */
export function installedSdk(client: string): InstalledSdk {
  const directory = fileURLToPath(new URL(`${client}/`, import.meta.url));
  beforeAll(() => installPackages(directory), patienceMs);
  const require = createRequire(join(directory, 'package.json'));
  return { directory, load: (name) => require(name) };
}
