import { defineConfig } from 'vitest/config';
import { nativeImports } from './tests/native-imports.ts';
import { suiteReporters } from './tests/suites/reporters.ts';

// Tests the package and the executable that `npm run build:package` and `npm run build:binary` made in dist. They are
// not part of the suite, which tests the source.
export default defineConfig({
  test: {
    ...nativeImports(),
    include: ['tests/package/**/*.test.ts'],
    pool: 'forks',
    isolate: true,
    fileParallelism: false,
    setupFiles: ['tests/leftovers/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    ...suiteReporters('verbose'),
  },
});
