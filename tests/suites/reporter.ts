import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { type Failure, type FileResult, type SuiteResults, skippedLines } from './results.ts';

/**
 * Names at the end of the output the tests that were skipped because a program is missing. With `file`, also lists the
 * failures there, where they are easy to find, and writes the results to `file`.
 */
export function resultsReporter(file: string | undefined): Reporter {
  let config = '';
  let planned: readonly string[] = [];
  return {
    onInit(vitest) {
      config = vitest.vite.config.configFile ?? '';
    },
    onTestRunStart(specifications) {
      planned = specifications.map(({ moduleId }) => moduleId);
    },
    onTestRunEnd(modules, unhandled) {
      const results: SuiteResults = { config, ...resultsOf(planned, modules, unhandled), skipped: skippedBy(modules) };
      if (file) {
        process.stdout.write(failureLines(results).join(''));
        writeFileSync(file, JSON.stringify(results));
      }
      for (const line of skippedLines(results)) process.stdout.write(`${line}\n`);
    },
  };
}

/**
 * Attributes each error to a file where that is possible. A file that did not finish, because its process ended, has
 * failed, and so have the files that were to run after it in that process.
 */
function resultsOf(
  planned: readonly string[],
  modules: readonly TestModule[],
  unhandled: readonly SerializedError[],
): Pick<SuiteResults, 'files' | 'unattributed'> {
  const ended = modules.filter((module) => ['passed', 'failed', 'skipped'].includes(module.state()));
  const passed = Object.fromEntries(ended.map((module) => [module.moduleId, testsOf(module, 'passed').length]));
  const failures: Record<string, Failure[]> = Object.fromEntries([
    ...planned.map((path) => [path, []]),
    ...ended.map((module) => [module.moduleId, failuresOf(module)]),
  ]);
  const unfinished = planned.filter((path) => passed[path] === undefined);
  const unattributed: string[] = [];
  for (const error of unhandled) {
    const text = messageOf(error);
    const own = error.VITEST_TEST_PATH ?? unfinished.find((path) => text.includes(path));
    const list = typeof own === 'string' ? failures[own] : undefined;
    if (list === undefined) unattributed.push(text);
    else list.push({ test: '', error: text });
  }
  for (const path of unfinished)
    if (failures[path]?.length === 0) failures[path].push({ test: '', error: 'the file did not run to its end' });
  const files = Object.entries(failures).map(([path, list]): [string, FileResult] => [
    path,
    { passed: passed[path] ?? 0, failures: list },
  ]);
  return { files: Object.fromEntries(files), unattributed };
}

const testsOf = (module: TestModule, state: string): TestCase[] =>
  [...module.children.allTests()].filter((test) => test.result().state === state);

const messageOf = ({ message, cause }: SerializedError): string =>
  `${message}${cause === undefined ? '' : `: ${cause.message}`}`.replaceAll(/\s+/g, ' ').slice(0, 500);

const messagesOf = (errors: readonly SerializedError[]) => errors.map(messageOf).join('; ');

/** Returns a failure for each failed test, and one for the file itself, its hooks and its groups of tests. */
function failuresOf(module: TestModule): Failure[] {
  const tests = testsOf(module, 'failed').map((test) => ({
    test: test.fullName,
    error: messagesOf(test.result().errors ?? []),
  }));
  const own = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return own.length === 0 ? tests : [...tests, { test: '', error: messagesOf(own) }];
}

function failureLines({ files, unattributed }: Pick<SuiteResults, 'files' | 'unattributed'>): string[] {
  const ofFiles = Object.entries(files).flatMap(([path, { failures }]) =>
    failures.map(({ test, error }) => `${relative('', path)}${test === '' ? '' : ` > ${test}`}: ${error}`),
  );
  return [...ofFiles, ...unattributed].map((line) => `Failed: ${line}\n`);
}

function skippedBy(modules: readonly TestModule[]): Readonly<Record<string, number>> {
  const skipped: Record<string, number> = {};
  for (const test of modules.flatMap((module) => testsOf(module, 'skipped'))) {
    const { needs } = test.meta();
    if (needs !== undefined) skipped[needs] = (skipped[needs] ?? 0) + 1;
  }
  return skipped;
}
