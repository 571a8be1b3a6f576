import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Choice } from './chosen.ts';
import { type Recorded, recordedIn } from './score.ts';

const stryker = 'tests/mutation/node_modules/@stryker-mutator/core/bin/stryker.js';

/** The result of a Stryker run, which `ended` by itself or was stopped at its time limit. */
export interface Outcome extends Recorded {
  readonly ended: boolean;
}

/**
 * Mutates files, or ranges of lines (`file:from-to`), and runs the tests on each mutant, or on each chosen mutant, on
 * SQLite. Reports other mutants as CompileError. Stops after `withinMs` with the results until then. Throws when
 * Stryker fails, as when a test fails without a mutant.
 */
export async function runStryker(
  root: string,
  mutate: readonly string[],
  tests: readonly string[],
  withinMs: number,
  choice?: Choice,
): Promise<Outcome> {
  const scratch = mkdtempSync(join(tmpdir(), 'yardarm-mutation-'));
  // In the repository, as Stryker requires. The name has the process id, so that two runs do not delete each other's
  // copy.
  const copy = `.stryker-tmp-${process.pid}`;
  try {
    const events = join(scratch, 'events');
    const config = join(scratch, 'stryker.config.json');
    writeFileSync(
      config,
      JSON.stringify({ ...options(mutate, choice), tempDirName: copy, eventReporter: { baseDir: events } }),
    );
    // Servers of stopped mutants do not remove their files: TMPDIR is a folder that is deleted at the end.
    const { DATABASE_URL: _, ...given } = process.env;
    const env = {
      ...given,
      MUTATION_TESTS: JSON.stringify(tests),
      MUTATION_CHOICE: JSON.stringify(choice),
      TMPDIR: scratch,
      // Only for this run: the copy has another path each time, so the next run could not use the compiled code.
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    };
    const ended = await runToEnd(root, [stryker, 'run', config], env, withinMs);
    return { ...recordedIn(events), ended };
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    rmSync(join(root, copy), { recursive: true, force: true, maxRetries: 5 });
  }
}

function options(mutate: readonly string[], choice: Choice | undefined) {
  const processes = Number(process.env.MUTATION_CONCURRENCY ?? 1);
  return {
    plugins: ['@stryker-mutator/vitest-runner', './tests/mutation/choosing-checker.ts'],
    testRunner: 'vitest',
    vitest: { configFile: 'tests/mutation/vitest.config.ts', pool: 'forks', related: false },
    mutate,
    coverageAnalysis: 'perTest',
    checkers: choice === undefined ? [] : ['choosing'],
    // With a checker, Stryker uses half of the processes for checkers.
    concurrency: choice === undefined ? processes : 2 * processes,
    reporters: ['event-recorder'],
    allowConsoleColors: false,
    allowEmpty: true,
    // Tests are slow while the machine does other work. Only a mutant that loops should exceed the time.
    timeoutMS: 60_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    cleanTempDir: 'always',
    ignorePatterns: ['/.stryker-tmp*', '/apps/admin/dist', '/bench/.work', '/bench/results', '/data', '/coverage'],
    warnings: { slow: false },
  };
}

/** Runs Node to its end and returns true, or stops it with all that it started after `withinMs` and returns false. */
async function runToEnd(root: string, args: string[], env: NodeJS.ProcessEnv, withinMs: number): Promise<boolean> {
  // A process group of its own: the workers of a stopped run must not outlive it.
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = () => stopGroup(child.pid);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, withinMs);
  const interrupted = (signal: NodeJS.Signals) => {
    stop();
    process.exitCode = signal === 'SIGINT' ? 130 : 143;
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (...how) => resolve(how));
    });
    if (isLate) return false;
    if (code !== 0) throw new Error(`Stryker ended with ${signal ?? code}. Its messages are above.`);
    return true;
  } finally {
    clearTimeout(timer);
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}

function stopGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
