import { defineConfig } from 'vitest/config';
import { nativeImports } from './tests/native-imports.ts';
import { suiteReporters } from './tests/suites/reporters.ts';

// Runs the tests that kill servers and break disks and databases. They take minutes, so they are not part of the suite
// that runs on every change.
export default defineConfig({
  test: {
    ...nativeImports(),
    include: ['tests/durability/**/*.test.ts'],
    pool: 'forks',
    isolate: true,
    // Most of the time is spent waiting for starts, disks and time-outs: on two cores, three files at once take 210 s,
    // two take 260 to 295 s.
    maxWorkers: 3,
    globalSetup: ['tests/program/compile.ts'],
    setupFiles: ['tests/leftovers/setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    ...suiteReporters('verbose'),
  },
});
