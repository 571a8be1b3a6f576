import { defineConfig } from 'vitest/config';
import { nativeImports } from './tests/native-imports.ts';
import { suiteReporters } from './tests/suites/reporters.ts';

// Runs the tests of the built user interface in Chromium. They are not part of the suite, which needs no browser.
export default defineConfig({
  test: {
    ...nativeImports(),
    include: ['tests/e2e/**/*.test.ts'],
    pool: 'forks',
    // The files share two processes, so that the server is loaded twice and not 64 times: ten files take 63 s, not 70.
    isolate: false,
    maxWorkers: 2,
    setupFiles: ['tests/leftovers/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The same limit as for elements to appear: on a busy machine, input that is saved with a delay is saved later.
    expect: { poll: { timeout: 15_000 } },
    ...suiteReporters('default'),
  },
});
