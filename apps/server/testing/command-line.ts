import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { createProgram } from '../src/main.ts';
import { givenCaller } from './access.ts';
import { freshName } from './flags.ts';
import type { TestServer } from './server.ts';

/** The output of a command, and its exit code. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** The command line in this process, with the token of an administrator and a folder. */
export interface CommandLine {
  readonly directory: string;
  /** Runs a command against the server, with these environment variables added. */
  run(args: readonly string[], variables?: Record<string, string>): Promise<Ended>;
  /** Creates a folder with these files and returns its path. */
  folderOf(files: Record<string, string>): Promise<string>;
}

/** Prepares the command line before the tests of a file, and removes its folder after them. */
export function useCommandLine(server: () => TestServer): () => CommandLine {
  let made: CommandLine | undefined;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'yardarm-cli-'));
    const { token } = await givenCaller(server(), 'Admin');
    made = {
      directory,
      run: (args, variables = {}) =>
        inEnvironment({ YARDARM_URL: server().url, YARDARM_TOKEN: token, ...variables }, () => runHere(args)),
      folderOf: async (files) => {
        const folder = join(directory, freshName('folder'));
        for (const [name, text] of Object.entries(files)) {
          await mkdir(dirname(join(folder, name)), { recursive: true });
          await writeFile(join(folder, name), text);
        }
        return folder;
      },
    };
  });
  afterAll(() => rm(made?.directory ?? '', { recursive: true, force: true }));
  return () => {
    if (made === undefined) throw new Error('The command line is ready when the tests of the file run.');
    return made;
  };
}

async function inEnvironment<T>(variables: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(variables)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  }
}

/** Runs a command as `main` does. */
async function runHere(args: readonly string[]): Promise<Ended> {
  const lines: Record<'log' | 'error', string[]> = { log: [], error: [] };
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines[name].push(`${line}\n`)),
  );
  let code: number;
  try {
    await createProgram().parseAsync(['node', 'yardarm', ...args]);
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    lines.error.push(`${error instanceof Error ? error.message : error}\n`);
    code = 1;
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = 0;
  }
  return { code, output: lines.log.join(''), errors: lines.error.join('') };
}
