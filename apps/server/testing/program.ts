import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { TestStorage } from './server.ts';

/** The program: compiled by tests/program/compile.ts for this run; without that, from source. */
export const program = process.env['COMPILED_SERVER'] ?? fileURLToPath(new URL('../bin/yardarm.js', import.meta.url));

/** The line that a process prints when it serves; it contains the address. */
const described = /^The API is documented at (\S+)\/docs\/openapi$/;

/** The exit code and the output of a program that has ended. */
export interface ProgramEnded {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end with these arguments and exactly this environment. Never rejects. */
export function runProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string | undefined = undefined,
): Promise<ProgramEnded> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { ...env, ...ownCompileCache }, cwd, maxBuffer: 1e8 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Returns the environment of this process with the variables that name a storage. */
export function environmentOf({ settings }: Pick<TestStorage, 'settings'>): NodeJS.ProcessEnv {
  const { dataDir = '', databaseUrl = '', databaseSchema = 'public' } = settings;
  return { ...process.env, YARDARM_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, DATABASE_SCHEMA: databaseSchema };
}

/** Without the cache of the tests, which outlives the compiled program, the program has one beside itself. */
const ownCompileCache = { NODE_COMPILE_CACHE: undefined };

/** A started process that serves, with its output so far. */
export interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly text: string;
}

export interface Programs {
  /**
   * Starts `yardarm start` on a storage. Resolves when the process serves and has printed a line that matches `until`;
   * rejects when the process ends before.
   */
  start(storage: Pick<TestStorage, 'settings'>, variables?: Record<string, string>, until?: RegExp): Promise<Started>;
  stop(started: Started): Promise<void>;
}

/** Starts the program as separate processes. After each test, kills the processes that still run. */
export function usePrograms(): Programs {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  return {
    start: async (storage, variables = {}, until = described) => {
      const child = spawn(process.execPath, [program, 'start'], {
        env: {
          ...environmentOf(storage),
          ...ownCompileCache,
          HTTP_HOST: '127.0.0.1',
          PORT: '0',
          YARDARM_SHUTDOWN_DELAY: '0',
          ...variables,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      let text = '';
      let url: string | undefined;
      for await (const line of createInterface(child.stdout)) {
        text += `${line}\n`;
        url ??= described.exec(line)?.[1];
        if (url !== undefined && until.test(line)) return { child, url, text };
      }
      throw new Error(`yardarm start ended before it served: ${text}`);
    },
    stop: async ({ child }) => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
