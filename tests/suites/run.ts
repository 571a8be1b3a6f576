import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countsOf, failedFiles, type SuiteResults, skippedLines } from './results.ts';

// run.ts <folder> <suite> <command that runs vitest>...
// Runs a suite. When at most three of its files fail, each of them runs once more, alone. Those that pass then are
// named in the file `unstable` of the folder, and do not fail the suite. The line with the counts is left in
// counts/<suite>.
// Exits with 1 when the suite failed, or when it skipped a test because a program is missing.

/** When more files fail, the cause is not timing, and the suite fails at once. */
const fewFiles = 3;
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const [folder = '', suite = '', ...command] = process.argv.slice(2);

interface Run {
  readonly passed: boolean;
  /** Undefined when vitest ended before it wrote them. */
  readonly results: SuiteResults | undefined;
}

/** Runs the command, whose results are stored under `name`. */
async function run([program = '', ...args]: readonly string[], name: string): Promise<Run> {
  const file = join(folder, 'results', `${name}.json`);
  const env = { ...process.env, TEST_RESULTS_FILE: file };
  const code = await new Promise<number | null>((resolve, reject) => {
    spawn(program, args, { env, stdio: 'inherit' }).on('error', reject).on('close', resolve);
  });
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  return { passed: code === 0 && results !== undefined, results };
}

/** Runs the suite, and its failed files once more. */
async function runSuite(): Promise<Run> {
  const { passed, results: first } = await run(command, suite);
  if (passed || first === undefined || first.unattributed.length > 0) return { passed, results: first };
  const failed = failedFiles(first);
  if (failed.length === 0 || failed.length > fewFiles) return { passed, results: first };
  const files = { ...first.files };
  let allPass = true;
  for (const [index, path] of failed.entries()) {
    print(`\nOnce more, alone: ${relative('', path)}`);
    const again = await run([process.execPath, vitest, 'run', '--config', first.config, path], `${suite}-${index}`);
    const result = again.results?.files[path];
    if (result !== undefined) files[path] = result;
    if (again.passed && result?.failures.length === 0) unstableLines(path, first).forEach(keepUnstable);
    else allPass = false;
  }
  return { passed: allPass, results: { ...first, files } };
}

/** Names the first failures of a file that passes when it runs alone. */
function unstableLines(path: string, { files }: SuiteResults): string[] {
  const failures = files[path]?.failures ?? [];
  return failures.map(({ test, error }) => {
    const name = test === '' ? '(outside of its tests)' : test;
    return `UNSTABLE ${relative('', path)} › ${name} (first failure: ${error})`;
  });
}

function keepUnstable(line: string): void {
  print(line);
  appendFileSync(join(folder, 'unstable'), `${line}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

for (const part of ['counts', 'results']) mkdirSync(join(folder, part), { recursive: true });
const { passed, results } = await runSuite();
const skipped = results === undefined ? [] : skippedLines(results);
for (const line of skipped) print(line);
if (results !== undefined) writeFileSync(join(folder, 'counts', suite), `${countsOf(results)}\n`);
process.exitCode = passed && skipped.length === 0 ? 0 : 1;
