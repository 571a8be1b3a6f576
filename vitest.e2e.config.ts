import { defineConfig } from 'vitest/config';
import { counted } from './tests/counts/counted.ts';
import { nativeImports } from './tests/native-imports.ts';

// Drives the built user interface with Debian's Chromium: apart from the suite, which needs no browser.
export default defineConfig({
  test: {
    ...nativeImports(),
    include: ['tests/e2e/**/*.test.ts'],
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    setupFiles: ['tests/leftovers/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // The same limit as waits for elements: input that is saved with a delay is saved later on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    ...counted('default'),
  },
});
