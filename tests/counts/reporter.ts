import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

type Errors = readonly { readonly message: string }[];

/**
 * Lists the failures at the end of the output, where they are easy to find. Then appends one line to `file`:
 * `N passed, N failed`. Failures outside tests (a file that does not load, a hook, leftovers, an unhandled error) count
 * too, so that a failed run never has `0 failed`.
 */
export function countsReporter(file: string): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const having = (state: string) => tests.filter((test) => test.result().state === state);
      const broken = modules.flatMap(ownErrors);
      for (const test of having('failed')) print(nameOf(test), test.result().errors ?? []);
      for (const { name, errors } of broken) print(name, errors);
      for (const error of unhandledErrors) print('nothing handled an error', [error]);
      const files = new Set(broken.map(({ path }) => path)).size;
      const failed = having('failed').length + files + unhandledErrors.length;
      appendFileSync(file, `${having('passed').length} passed, ${failed} failed\n`);
    },
  };
}

function print(name: string, errors: Errors): void {
  const why = errors.map(({ message }) => message.slice(0, 500).replaceAll(/\s+/g, ' ')).join('; ');
  process.stdout.write(`Failed: ${name}: ${why}\n`);
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} > ${test.fullName}`;

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
