import { defineConfig } from 'vitest/config';
import { counted } from './tests/counts/counted.ts';
import { nativeImports } from './tests/native-imports.ts';

// Kills servers and breaks disks and databases, for minutes: apart from the suite that runs on every change.
export default defineConfig({
  test: {
    ...nativeImports(),
    include: ['tests/durability/**/*.test.ts'],
    pool: 'forks',
    isolate: true,
    // One at a time: a fault is timed against the load, and two files loading two cores would blur both.
    fileParallelism: false,
    setupFiles: ['tests/leftovers/setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    ...counted('verbose'),
  },
});
