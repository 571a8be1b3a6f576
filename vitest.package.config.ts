import { defineConfig } from 'vitest/config';
import { countsReporter } from './tests/counts/reporter.ts';
import { nativeImports } from './tests/native-imports.ts';

const countsFile = process.env.TEST_COUNTS_FILE;

// Runs what `npm run build:package` and `npm run build:binary` left in dist: apart from the suite, which runs the
// source.
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
    reporters: countsFile ? ['verbose', countsReporter(countsFile)] : ['verbose'],
  },
});
