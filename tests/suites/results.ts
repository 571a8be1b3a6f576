/** A failed test, or what failed outside tests: `test` is empty then. */
export interface Failure {
  readonly test: string;
  readonly error: string;
}

/** The result of a test file. */
export interface FileResult {
  readonly passed: number;
  readonly failures: readonly Failure[];
}

/** The results of a run of vitest, which it leaves as JSON for the program that runs a suite. */
export interface SuiteResults {
  /** The configuration that the files ran with. */
  readonly config: string;
  /** By absolute path: each file that was to run. */
  readonly files: Readonly<Record<string, FileResult>>;
  /** Errors that cannot be attributed to a file. */
  readonly unattributed: readonly string[];
  /** Skipped tests by the Debian package of the program that is missing. */
  readonly skipped: Readonly<Record<string, number>>;
}

/** Returns the paths of the files that failed. */
export function failedFiles({ files }: SuiteResults): string[] {
  return Object.keys(files).filter((path) => files[path]?.failures.length !== 0);
}

/** Returns the line that counts tests: failures outside tests count too, so that a failed run never has `0 failed`. */
export function countsOf({ files, unattributed }: SuiteResults): string {
  const results = Object.values(files);
  const passed = results.reduce((sum, file) => sum + file.passed, 0);
  const failed = results.reduce((sum, file) => sum + file.failures.length, unattributed.length);
  return `${passed} passed, ${failed} failed`;
}

/** Returns the lines about tests that were skipped because a program is missing: one a package, and their number. */
export function skippedLines({ skipped }: Pick<SuiteResults, 'skipped'>): string[] {
  const rows = Object.entries(skipped);
  if (rows.length === 0) return [];
  const all = rows.reduce((sum, [, number]) => sum + number, 0);
  return [
    ...rows.map(([packages, number]) => `Skipped ${testsIn(number)}: apt-get install ${packages}`),
    `Skipped ${testsIn(all)} in all because a program is missing`,
  ];
}

const testsIn = (number: number) => (number === 1 ? '1 test' : `${number} tests`);
