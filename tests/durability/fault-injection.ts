import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

export interface FaultInjection {
  /** How many calls have failed so far. */
  count(): number;
  /** Lets the processes go on undisturbed. */
  end(): Promise<void>;
}

/**
 * Makes every call of `calls` in `pids` and all their threads fail with `error`, until it is ended. Needs strace, as
 * installed by `.ci/run`, and the right to trace.
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
      // Processes that give up at the first call that fails may all be gone by now, and strace with them.
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
