import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

type Errors = readonly { readonly message: string }[];

/** The number of unstable tests that a run may have. With more, the run fails, as they probably have a common cause. */
const toleratedUnstable = 3;

/**
 * Lists the failures at the end of the output, where they are easy to find, and the unstable tests: those that failed
 * and passed when they were run again. Then appends one line to `file`: `N passed, N failed`. Failures outside tests (a
 * file that does not load, a hook, leftovers, an unhandled error) count too, so that a failed run never has `0 failed`.
 * More than 3 unstable tests fail the run and count as failed.
 */
export function countsReporter(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const having = (state: string) => tests.filter((test) => test.result().state === state);
      const broken = modules.flatMap(ownErrors);
      for (const test of having('failed')) print('Failed', nameOf(test), errorsOf(test));
      for (const { name, errors } of broken) print('Failed', name, errors);
      for (const error of unhandledErrors) print('Failed', 'nothing handled an error', [error]);
      const unstable = tests.filter((test) => test.diagnostic()?.flaky === true);
      for (const test of unstable) print('Unstable', nameOf(test), errorsOf(test));
      const tooMany = unstable.length > toleratedUnstable ? unstable.length : 0;
      if (tooMany > 0) process.exitCode = 1;
      const files = new Set(broken.map(({ path }) => path)).size;
      const failed = having('failed').length + tooMany + files + unhandledErrors.length;
      appendFileSync(file, `${having('passed').length - tooMany} passed, ${failed} failed\n`);
    },
  };
}

function print(outcome: 'Failed' | 'Unstable', name: string, errors: Errors): void {
  const why = errors.map(({ message }) => message.slice(0, 500).replaceAll(/\s+/g, ' ')).join('; ');
  process.stdout.write(`${outcome}: ${name}: ${why}\n`);
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`;
const errorsOf = (test: TestCase): Errors => test.result().errors ?? [];

/** Returns the errors that belong to no single test: those of the file itself and of its groups of tests. */
function ownErrors(module: TestModule): { path: string; name: string; errors: Errors }[] {
  const path = module.relativeModuleId;
  const groups = [...module.children.allSuites()].map((suite) => ({
    path,
    name: `${path} > ${suite.fullName}`,
    errors: suite.errors(),
  }));
  return [{ path, name: path, errors: module.errors() }, ...groups].filter(({ errors }) => errors.length > 0);
}
