import type { TestUserConfig } from 'vitest/config';
import { countsReporter } from './reporter.ts';

/**
 * Returns the settings of a suite's run. With TEST_COUNTS_FILE set, as CI sets it, tests are counted, and a failing
 * test runs again: among 23,000 tests, one that depends on timing would otherwise block every change. A test that
 * passes at the second attempt is reported as unstable and should be fixed. Without the variable no test runs again.
 */
export function counted(reporter: 'default' | 'verbose'): Pick<TestUserConfig, 'reporters' | 'retry'> {
  const file = process.env.TEST_COUNTS_FILE;
  return file ? { reporters: [reporter, countsReporter(file)], retry: 1 } : { reporters: [reporter] };
}
