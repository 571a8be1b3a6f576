import type { TestUserConfig } from 'vitest/config';
import { resultsReporter } from './reporter.ts';

/** Returns the reporters of a suite. With TEST_RESULTS_FILE set, as CI sets it, they also write results there. */
export function suiteReporters(reporter: 'default' | 'verbose'): Pick<TestUserConfig, 'reporters'> {
  return { reporters: [reporter, resultsReporter(process.env.TEST_RESULTS_FILE)] };
}
