import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

export interface FaultInjection {
  /** How many calls have failed so far. */
  count(): number;
  /** Ends the faults: calls of the processes succeed again. */
  end(): Promise<void>;
}

/**
 * Makes every system call in `calls` by the processes `pids` and all their threads fail with `error`, until `end` is
 * called. Needs strace, as installed by `.ci/run`, and the right to trace.
 */
export async function injectFaults(
  pids: readonly number[],
  calls: readonly string[],
  error: string,
): Promise<FaultInjection> {
  const directory = mkdtempSync(join(tmpdir(), 'strace-'));
  const log = join(directory, 'log');
  const names = calls.join(',');
  const strace = spawn(
    'strace',
    [
      '-f',
      '-e',
      `trace=${names}`,
      '-e',
      `inject=${names}:error=${error}`,
      '-o',
      log,
      ...pids.flatMap((pid) => ['-p', String(pid)]),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  strace.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
  });
  let over = false;
  const ended = once(strace, 'close')
    .catch((cause: unknown) => {
      said += String(cause);
    })
    .finally(() => {
      over = true;
    });
  const end = async () => {
    strace.kill('SIGINT');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await until('strace to attach', 10_000, () => {
      // strace may already have ended: processes that exit at the first failing call may all be gone by now.
      if (pids.every((pid) => said.includes(`Process ${pid} attached`))) return true;
      if (over) throw new Error(`strace ended: ${said}`);
      return false;
    });
  } catch (error) {
    await end();
    throw error;
  }
  return { count: () => readFileSync(log, 'utf8').split('(INJECTED)').length - 1, end };
}
