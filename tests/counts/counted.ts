import type { TestUserConfig } from 'vitest/config';
import { countsReporter } from './reporter.ts';

/** Returns the reporters of a suite's run. With TEST_COUNTS_FILE set, as CI sets it, they also count tests there. */
export function counted(reporter: 'default' | 'verbose'): Pick<TestUserConfig, 'reporters'> {
  const file = process.env.TEST_COUNTS_FILE;
  return { reporters: file ? [reporter, countsReporter(file)] : [reporter] };
}
