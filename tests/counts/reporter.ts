import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Names the tests that needed a second try, which are to be mended, and appends one line to `file` when the run ends:
 * `N passed, N failed`. What fails without being a test counts as a failure too (a file that does not load, a hook,
 * leftovers, an unhandled error), so that `0 failed` never stands for a failed run.
 */
export function countsReporter(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const count = (wanted: string) => tests.filter((test) => test.result().state === wanted).length;
      for (const test of tests) {
        if (test.diagnostic()?.flaky) process.stdout.write(`Passed on its second try: ${test.fullName}\n`);
      }
      const failed = count('failed') + modules.filter(failsItself).length + unhandledErrors.length;
      appendFileSync(file, `${count('passed')} passed, ${failed} failed\n`);
    },
  };
}

/** Whether the file, or a group of tests in it, has an error that belongs to no single test. */
function failsItself(module: TestModule): boolean {
  return module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0);
}
