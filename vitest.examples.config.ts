import { defineConfig } from 'vitest/config';
import { nativeImports } from './tests/native-imports.ts';
import { suiteReporters } from './tests/suites/reporters.ts';

// Runs the tests that need other programs, such as Prometheus and Redis, apart from the suite.
export default defineConfig({
  test: {
    ...nativeImports(),
    include: ['tests/{examples,programs}/**/*.test.ts'],
    pool: 'forks',
    isolate: true,
    // An example starts several programs: two examples at a time would only be slower.
    fileParallelism: false,
    setupFiles: ['tests/leftovers/setup.ts'],
    // An example stops after two minutes by itself and prints the reason.
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    ...suiteReporters('verbose'),
  },
});
