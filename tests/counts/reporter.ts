import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Appends one line to `file` when the run ends: `N passed, N failed`. What fails without being a test counts as a failure
 * too (a file that does not load, a hook, leftovers, an unhandled error), so that `0 failed` never stands for a failed run.
 */
export function countsReporter(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
      const count = (wanted: string) => states.filter((state) => state === wanted).length;
      const failed = count('failed') + modules.filter(failsItself).length + unhandledErrors.length;
      appendFileSync(file, `${count('passed')} passed, ${failed} failed\n`);
    },
  };
}

/** Whether the file, or a group of tests in it, has an error that belongs to no single test. */
function failsItself(module: TestModule): boolean {
  return module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0);
}
