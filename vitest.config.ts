import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { countsReporter } from './tests/counts/reporter.ts';
import { nativeImports } from './tests/native-imports.ts';

const countsFile = process.env.TEST_COUNTS_FILE;

export default defineConfig({
  test: {
    ...nativeImports(),
    include: ['{apps,packages,bench,tests}/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      'tests/durability/**',
      'tests/e2e/**',
      'tests/{examples,programs}/**',
    ],
    // A process for each file: tests that start servers and worker threads, send signals or set the environment cannot
    // then disturb each other, and tests/leftovers can tell whose leftovers it sees.
    pool: 'forks',
    isolate: true,
    // The suite waits for disks and sockets as much as it computes, so two at a time pay even on two cores. Every file
    // may hold some PostgreSQL connections: eight at a time stay far below the server's limit.
    maxWorkers: Math.min(8, Math.max(2, availableParallelism())),
    setupFiles: ['tests/leftovers/setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    reporters: countsFile ? ['default', countsReporter(countsFile)] : ['default'],
  },
});
