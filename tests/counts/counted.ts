import type { TestUserConfig } from 'vitest/config';
import { countsReporter } from './reporter.ts';

/**
 * Returns the settings of a run of a suite. With TEST_COUNTS_FILE set, as CI sets it, the run is counted, and a test
 * that fails is run once more: among 23,000 tests, one that depends on timing would stop every other change. A test
 * that passes then is reported as unstable and is to be mended. Without the variable nothing is run again.
 */
export function counted(reporter: 'default' | 'verbose'): Pick<TestUserConfig, 'reporters' | 'retry'> {
  const file = process.env.TEST_COUNTS_FILE;
  return file ? { reporters: [reporter, countsReporter(file)], retry: 1 } : { reporters: [reporter] };
}
